import type { RecordContent } from '@vigie/contracts/dns-records';

type RecordTarget = Pick<RecordContent, 'type' | 'name' | 'content'>;

const normalizeHost = (host: string) => host.toLowerCase().replace(/\.$/, '');

/** Also ends a cycle of names. */
const maxChainLength = 8;

/** Whether a record resolves to this host, directly or through other names of the zone. */
export function pointsTo(
  record: RecordTarget,
  host: string,
  records: readonly RecordTarget[],
  remaining = maxChainLength,
): boolean {
  if (!['A', 'AAAA', 'CNAME'].includes(record.type) || remaining === 0) return false;
  const target = normalizeHost(record.content);
  if (target === normalizeHost(host)) return true;
  return (
    record.type === 'CNAME' &&
    records.some((other) => other.name === target && pointsTo(other, host, records, remaining - 1))
  );
}
