import type { RecordContent } from '@vigie/contracts/dns-records';

type Pointing = Pick<RecordContent, 'type' | 'name' | 'content'>;

const plain = (host: string) => host.toLowerCase().replace(/\.$/, '');

/** As many names as a chain may have; one that bites its tail ends here too. */
const longestChain = 8;

/** Whether a name leads to this host: by its address, or by a name of the same zone that does. */
export function pointsTo(record: Pointing, host: string, records: readonly Pointing[], left = longestChain): boolean {
  if (!['A', 'AAAA', 'CNAME'].includes(record.type) || left === 0) return false;
  const target = plain(record.content);
  if (target === plain(host)) return true;
  return (
    record.type === 'CNAME' &&
    records.some((other) => other.name === target && pointsTo(other, host, records, left - 1))
  );
}
