import type { LedgerLine } from '@vigie/testing/cloudflare';
import type { Finding } from './audit';

export type DnsNote = { is: 'there' | 'gone' | 'unsure'; id: string; content: string };
/** By the relative name of a record. Each name is given once. */
export type DnsNotes = Map<string, DnsNote>;

type Zone = {
  name: string;
  notes: DnsNotes;
  /** As the provider has them. */
  records: readonly { name: string; content: string }[];
  ledger: readonly LedgerLine[];
};

/** What was said of records, against what the provider has and was asked. */
export function auditZone({ name: zone, notes, records, ledger }: Zone): Finding[] {
  const made = ledger.flatMap(namesMade);
  return [...notes].flatMap(([name, { is, content }]) => {
    const found = records.filter((record) => record.name === `${name}.${zone}`);
    const [first] = found;
    return [
      found.length > 1 || made.filter((other) => other === name).length > 1 ? 'fait deux fois chez Cloudflare' : [],
      is === 'there' && !first ? 'dit fait, absent de Cloudflare' : [],
      is === 'there' && first && first.content !== content ? 'dit fait, autre chez Cloudflare' : [],
      is === 'gone' && first ? 'dit supprimé ou refusé, présent chez Cloudflare' : [],
    ].flatMap((what) => (what.length === 0 ? [] : [{ what: String(what), id: name }]));
  });
}

/** Names of the records that a question made. */
function namesMade({ method, path, body, status }: LedgerLine): string[] {
  if (method !== 'POST' || status !== 200 || !path.includes('/dns_records')) return [];
  const posts = path.endsWith('/batch') ? ((Object(body).posts ?? []) as object[]) : [Object(body)];
  return posts.map((post) => String(Object(post).name).split('.')[0] ?? '');
}
