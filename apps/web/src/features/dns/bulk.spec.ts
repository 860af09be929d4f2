import { expect, it } from 'vitest';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import { asSeen, bulkDeletions, bulkEdits, untouched } from './bulk';

const record = (id: string, more: Partial<DnsRecord> = {}): DnsRecord => ({
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
  ...more,
});

it('changes nothing that is so already, or that nobody chose', () => {
  expect(bulkEdits([record('a')], untouched)).toEqual([]);
  expect(bulkEdits([record('a'), record('b', { ttl: 300 })], { ...untouched, ttl: '3600' })).toEqual([
    { action: 'edit', record_id: 'b', record: { ttl: 3600 }, expected: 'vb' },
  ]);
});

it('proxies only what may be, and gives no TTL to what is proxied', () => {
  const records = [record('a'), record('t', { type: 'TXT' }), record('p', { proxied: true, ttl: 1 })];
  expect(bulkEdits(records, { ttl: '', proxied: 'on' })).toEqual([
    { action: 'edit', record_id: 'a', record: { proxied: true }, expected: 'va' },
  ]);
  expect(bulkEdits(records, { ttl: '300', proxied: '' }).map((one) => 'record_id' in one && one.record_id)).toEqual([
    'a',
    't',
  ]);
  expect(bulkEdits(records, { ttl: '300', proxied: 'off' })).toContainEqual({
    action: 'edit',
    record_id: 'p',
    record: { proxied: false, ttl: 300 },
    expected: 'vp',
  });
});

it('deletes each as it was seen', () => {
  expect(bulkDeletions([record('a')])).toEqual([{ action: 'delete', record_id: 'a', expected: 'va' }]);
});

it('sends what was seen of the zone, not of each record when it was chosen', () => {
  const changes = bulkDeletions([record('a')]);
  expect(JSON.parse(JSON.stringify(asSeen(changes)))).toEqual([{ action: 'delete', record_id: 'a' }]);
});
