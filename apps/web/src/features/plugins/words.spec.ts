import { describe, expect, it } from 'vitest';
import { isFiltered, openPanel, PluginsSearch, unfiltered } from './search';
import { canUpdate, spellDiagnosis, spellStep, spellTotals, spellVersions } from './words';

describe('the texts of the page of plugins', () => {
  it('counts plugins and updates', () => {
    expect(spellTotals(1, 0)).toBe('1\u00a0plugin · 0\u00a0mise à jour');
    expect(spellTotals(30, 176)).toBe('30\u00a0plugins · 176\u00a0mises à jour');
  });

  it.each([
    [{ sites_total: 14, sites_scanned: 14, sites_failed: 0 }, '14\u00a0sites lus'],
    [{ sites_total: 14, sites_scanned: 12, sites_failed: 2 }, '12\u00a0sites lus sur 14, 2 en échec'],
    [{ sites_total: 1, sites_scanned: 0, sites_failed: 0 }, '0\u00a0site lu sur 1'],
  ])('says how many sites of %j were read', (counts, words) => {
    expect(spellDiagnosis({ ...counts, failures: [] })).toBe(words);
  });

  it.each([
    ['nothing waits', 0, 0, [], false],
    ['two plugins in the folder of its only site, which is blocked', 2, 1, ['blocked'], false],
    ['one of two sites is blocked', 2, 1, ['blocked', 'waits'], true],
    ['all that are listed are blocked, others are not', 30, 20, ['blocked', 'blocked'], true],
    ['all are blocked', 2, 2, ['blocked', 'blocked', 'current'], false],
  ] as const)(
    'offers an update only where a site can take it: %s',
    (_, updates_count, blocked_count, states, isPossible) => {
      const sites = states.map((state) => ({
        site_id: '',
        site_name: '',
        version: null,
        hasUpdate: state !== 'current',
        blockedByLicense: state === 'blocked',
        new_version: null,
        status: 'active' as const,
      }));
      const sites_count = Math.max(updates_count === 30 ? 40 : 0, sites.length);
      expect(canUpdate({ sites_count, updates_count, blocked_count, sites })).toBe(isPossible);
    },
  );

  it('names the most common versions and counts the others', () => {
    const versions = [
      { version: '1.3', sites_count: 40 },
      { version: null, sites_count: 1 },
    ];
    expect(spellVersions({ versions, versions_count: 4 })).toBe(
      '1.3 (40\u00a0sites), inconnue (1\u00a0site) et 2\u00a0autres',
    );
    expect(spellVersions({ versions, versions_count: 2 })).not.toContain('autre');
  });

  it('invents no version', () => {
    expect(spellStep({ version: null, hasUpdate: false, new_version: '2' })).toBe('—');
    expect(spellStep({ version: null, hasUpdate: true, new_version: null })).toBe('? → plus récente');
    expect(spellStep({ version: '1.2', hasUpdate: true, new_version: '1.3' })).toBe('1.2 → 1.3');
  });
});

describe('the address of the page', () => {
  it('reads a number as text, and drops unknown values', () => {
    expect(PluginsSearch.parse({ q: 12, sort: 'mine', page: 1, updates: 'yes' })).toEqual({ q: '12' });
  });

  it('tells filters from open panels', () => {
    expect(isFiltered({ sites: 'vitrine', sites_q: 'x', failures: true, sort: 'name_asc', page: 2 })).toBe(false);
    expect([{ q: 'x' }, { updates: true as const }, { group: 'x' }].map(isFiltered)).toEqual([true, true, true]);
    const filtered: PluginsSearch = { q: 'x', updates: true, group: 'x' };
    expect(isFiltered({ ...filtered, ...unfiltered })).toBe(false);
  });

  it('opens the sites of another plugin without the filters of the previous one', () => {
    const opened: PluginsSearch = { sites: 'a', sites_q: 'x', sites_page: 3, sites_updates: true };
    expect({ ...opened, ...openPanel('b') }).toMatchObject({
      sites: 'b',
      sites_q: undefined,
      sites_page: undefined,
      sites_updates: undefined,
    });
  });
});
