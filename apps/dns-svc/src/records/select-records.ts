import type { Input } from '@vigie/contracts/contract';
import type { DnsRecord, listDnsRecords } from '@vigie/contracts/dns-records';

type Selection = Pick<Input<typeof listDnsRecords>, 'q' | 'type' | 'sort'>;

const french = new Intl.Collator('fr', { numeric: true });

/** Those that were asked for, in their order; the zone's own before the others, by name. */
export function selectRecords(records: readonly DnsRecord[], { q, type, sort }: Selection): DnsRecord[] {
  const text = q.trim().toLowerCase();
  const found = records.filter(
    (record) =>
      (type === undefined || record.type === type) &&
      (text === '' || `${record.name} ${record.content} ${record.comment ?? ''}`.toLowerCase().includes(text)),
  );
  const sign = sort.startsWith('-') ? -1 : 1;
  const field = sort.replace('-', '') as 'name' | 'type' | 'ttl' | 'content';
  return found.toSorted((a, b) => sign * compare(field, a, b) || compare('name', a, b) || tie(a, b));
}

function compare(field: 'name' | 'type' | 'ttl' | 'content', a: DnsRecord, b: DnsRecord): number {
  if (field === 'ttl') return a.ttl - b.ttl;
  if (field !== 'name') return french.compare(a[field], b[field]);
  return Number(b.display_name === '@') - Number(a.display_name === '@') || french.compare(a.name, b.name);
}

const tie = (a: DnsRecord, b: DnsRecord) =>
  french.compare(a.type, b.type) || french.compare(a.content, b.content) || (a.id < b.id ? -1 : 1);
