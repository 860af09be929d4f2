import { canBeProxied, ttlOptions } from '@vigie/contracts/dns-content';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { Change } from './records.api';

/** The values to set on many records; an empty string leaves each record unchanged. */
export type BulkValues = { ttl: string; proxied: '' | 'on' | 'off' };
export const unchangedValues: BulkValues = { ttl: '', proxied: '' };

export const ttlValues = ttlOptions.map(String);

const isProxiedAfter = (record: DnsRecord, { proxied }: BulkValues) =>
  canBeProxied(record.type) && (proxied === '' ? record.proxied : proxied === 'on');

/** Skips records that would not change. Cloudflare sets the TTL of a proxied record. */
export function bulkEdits(records: readonly DnsRecord[], values: BulkValues): Change[] {
  return records.flatMap((record) => {
    const proxied = isProxiedAfter(record, values);
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

/** After a preview, the version of the zone is compared instead of the version of each record. */
export const withoutExpectedVersions = (changes: readonly Change[]): Change[] =>
  changes.map((change) => (change.action === 'create' ? change : { ...change, expected: undefined }));

export const bulkDeletions = (records: readonly DnsRecord[]): Change[] =>
  records.map(({ id, version }) => ({ action: 'delete', record_id: id, expected: version }));
