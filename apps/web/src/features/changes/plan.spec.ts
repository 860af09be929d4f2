import { expect, it } from 'vitest';
import type { PlannedChange } from '@vigie/contracts/changes';
import { groupBySite, noFilter, linesToApply, lineKey, filterLines } from './plan';

const aLine = (siteId: string, slug: string, more: Partial<PlannedChange> = {}): PlannedChange => ({
  site_id: siteId,
  site_name: `Site ${siteId}`,
  kind: 'plugin',
  slug,
  name: slug,
  from: '1.0',
  to: '1.1',
  command: '',
  warnings: [],
  refusal: null,
  ...more,
});
const core = aLine('1', 'wordpress', { kind: 'core', name: 'WordPress' });
const lines = [core, aLine('1', 'vitrine'), aLine('2', 'vitrine', { name: 'Vitrîne' }), aLine('2', 'phare')];

it('applies the selected lines, never refused ones', () => {
  const refused = aLine('3', 'payant', { refusal: 'Licence.' });
  expect(linesToApply([...lines, refused], new Set([lineKey(core)]))).toEqual(lines.slice(1));
});

it('filters by kind, item or site, ignoring accents', () => {
  expect(filterLines(lines, noFilter)).toEqual(lines);
  expect(filterLines(lines, { ...noFilter, q: ' VITRINE' })).toEqual(lines.slice(1, 3));
  expect(filterLines(lines, { ...noFilter, q: 'site 2' })).toEqual(lines.slice(2));
  expect(filterLines(lines, { kinds: new Set(['core']), q: '' })).toEqual([core]);
});

it('keeps the lines of a site together, in the order of the plan', () => {
  const [first, second] = groupBySite([lines[0], lines[2], lines[1]].flatMap((line) => line ?? []));
  expect([first?.id, first?.lines.length, second?.id]).toEqual(['1', 2, '2']);
});
