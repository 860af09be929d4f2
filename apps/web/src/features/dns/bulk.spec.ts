import { expect, it } from 'vitest';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import { withoutExpectedVersions, bulkDeletions, bulkEdits, unchangedValues } from './bulk';

const record = (id: string, overrides: Partial<DnsRecord> = {}): DnsRecord => ({
  id,
  type: 'A',
  name: 'exemple.fr',
  content: '203.0.113.10',
  ttl: 3600,
  priority: null,
  proxied: false,
  comment: null,
  display_name: '@',
  version: `v${id}`,
  editable: true,
  proxiable: true,
  modified_at: null,
  ...overrides,
});

it('skips records that already have the chosen values', () => {
  expect(bulkEdits([record('a')], unchangedValues)).toEqual([]);
  expect(bulkEdits([record('a'), record('b', { ttl: 300 })], { ...unchangedValues, ttl: '3600' })).toEqual([
    { action: 'edit', record_id: 'b', record: { ttl: 3600 }, expected: 'vb' },
  ]);
});

it('proxies only types that can be proxied, and sets no TTL on a proxied record', () => {
  const records = [record('a'), record('t', { type: 'TXT' }), record('p', { proxied: true, ttl: 1 })];
  expect(bulkEdits(records, { ttl: '', proxied: 'on' })).toEqual([
    { action: 'edit', record_id: 'a', record: { proxied: true }, expected: 'va' },
  ]);
  expect(
    bulkEdits(records, { ttl: '300', proxied: '' }).map((change) => 'record_id' in change && change.record_id),
  ).toEqual(['a', 't']);
  expect(bulkEdits(records, { ttl: '300', proxied: 'off' })).toContainEqual({
    action: 'edit',
    record_id: 'p',
    record: { proxied: false, ttl: 300 },
    expected: 'vp',
  });
});

it('deletes each record at the version that the list showed', () => {
  expect(bulkDeletions([record('a')])).toEqual([{ action: 'delete', record_id: 'a', expected: 'va' }]);
});

it('sends no record versions with a previewed change', () => {
  const changes = bulkDeletions([record('a')]);
  expect(JSON.parse(JSON.stringify(withoutExpectedVersions(changes)))).toEqual([{ action: 'delete', record_id: 'a' }]);
});
