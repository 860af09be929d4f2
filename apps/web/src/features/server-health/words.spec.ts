import { describe, expect, it } from 'vitest';
import { HealthSearch } from './search';
import { parseDisk, spellCount, spellLoad, spellPercent } from './words';

const withPlainSpaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the texts of the health of a server', () => {
  it('shows a dash for an unknown value', () => {
    expect([spellCount(null), spellPercent(null), spellLoad({ load: null, cores: 4 })]).toEqual(['—', '—', '—']);
    expect(parseDisk(null)).toEqual({ percent: null, mount: '' });
  });

  it('formats measured values', () => {
    expect(withPlainSpaces(spellCount(12_345))).toBe('12 345');
    expect(withPlainSpaces(spellPercent(87))).toBe('87 %');
    expect(withPlainSpaces(spellLoad({ load: 0.421, cores: 4 }))).toBe('0,42 / 4');
    expect(spellLoad({ load: 1.5, cores: null })).toBe('1,5');
    expect(parseDisk('93%:/srv/a:b')).toEqual({ percent: 93, mount: '/srv/a:b' });
  });
});

describe('the address of the table', () => {
  it('drops invalid values', () => {
    const hostile = { sort: 'name; drop table', page: -1, alert: 'yes' };
    expect(HealthSearch.parse(hostile)).toEqual({ sort: undefined, page: undefined, alert: undefined });
  });
});
