import { canBeProxied, ttlOptions } from '@vigie/contracts/dns-content';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { Change } from './records.api';

/** What is made the same in many records; an empty choice leaves each as it is. */
export type BulkValues = { ttl: string; proxied: '' | 'on' | 'off' };
export const untouched: BulkValues = { ttl: '', proxied: '' };

export const ttlValues = ttlOptions.map(String);

const isOn = (record: DnsRecord, { proxied }: BulkValues) =>
  canBeProxied(record.type) && (proxied === '' ? record.proxied : proxied === 'on');

/** Only for those that it is a change of; the TTL of a proxied record is not its own. */
export function bulkEdits(records: readonly DnsRecord[], values: BulkValues): Change[] {
  return records.flatMap((record) => {
    const proxied = isOn(record, values);
    const ttl = proxied || values.ttl === '' ? record.ttl : Number(values.ttl);
    const changes = {
      ...(proxied !== record.proxied && { proxied }),
      ...(ttl !== record.ttl && { ttl }),
    };
    return Object.keys(changes).length === 0
      ? []
      : [{ action: 'edit' as const, record_id: record.id, record: changes, expected: record.version }];
  });
}

/** As they are sent once their differences were seen: it is the zone that must still be what was seen then. */
export const asSeen = (changes: readonly Change[]): Change[] =>
  changes.map((change) => (change.action === 'create' ? change : { ...change, expected: undefined }));

export const bulkDeletions = (records: readonly DnsRecord[]): Change[] =>
  records.map(({ id, version }) => ({ action: 'delete', record_id: id, expected: version }));
