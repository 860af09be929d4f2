import type { Input } from '@vigie/contracts/contract';
import type { listDnsRecords } from '@vigie/contracts/dns-records';
import type { ProviderRecord } from '../providers/provider';

type Selection = Pick<Input<typeof listDnsRecords>, 'q' | 'type' | 'sort'>;

const french = new Intl.Collator('fr', { numeric: true });

export function selectRecords(
  records: readonly ProviderRecord[],
  { q, type, sort }: Selection,
  zoneName: string,
): ProviderRecord[] {
  const text = q.trim().toLowerCase();
  const selected = records.filter(
    (record) =>
      (type === undefined || record.type === type) &&
      (text === '' || `${record.name} ${record.content} ${record.comment ?? ''}`.toLowerCase().includes(text)),
  );
  const sign = sort.startsWith('-') ? -1 : 1;
  const field = sort.replace('-', '') as 'name' | 'type' | 'ttl' | 'content';
  const compare = comparison(zoneName);
  return selected.toSorted((a, b) => sign * compare(field, a, b) || compare('name', a, b) || tie(a, b));
}

const comparison =
  (zoneName: string) =>
  (field: 'name' | 'type' | 'ttl' | 'content', a: ProviderRecord, b: ProviderRecord): number => {
    if (field === 'ttl') return a.ttl - b.ttl;
    if (field !== 'name') return french.compare(a[field], b[field]);
    return Number(b.name === zoneName) - Number(a.name === zoneName) || french.compare(a.name, b.name);
  };

const tie = (a: ProviderRecord, b: ProviderRecord) =>
  french.compare(a.type, b.type) || french.compare(a.content, b.content) || (a.id < b.id ? -1 : 1);
