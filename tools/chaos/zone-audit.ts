import type { LedgerLine } from '@vigie/testing/cloudflare';
import type { Finding } from './audit';

export type ExpectedRecord = { state: 'there' | 'gone' | 'unsure'; id: string; content: string };
/** The reported states by the relative name of the record; each name is used once. */
export type ExpectedRecords = Map<string, ExpectedRecord>;

type Zone = {
  name: string;
  expected: ExpectedRecords;
  records: readonly { name: string; content: string }[];
  ledger: readonly LedgerLine[];
};

/** Compares the reported records with those at the provider, and with the requests that it received. */
export function auditZone({ name: zoneName, expected, records, ledger }: Zone): Finding[] {
  const created = ledger.flatMap(createdNames);
  return [...expected].flatMap(([name, { state, content }]) => {
    const matches = records.filter((record) => record.name === `${name}.${zoneName}`);
    const [first] = matches;
    return [
      matches.length > 1 || created.filter((other) => other === name).length > 1
        ? 'fait deux fois chez Cloudflare'
        : [],
      state === 'there' && !first ? 'dit fait, absent de Cloudflare' : [],
      state === 'there' && first && first.content !== content ? 'dit fait, autre chez Cloudflare' : [],
      state === 'gone' && first ? 'dit supprimé ou refusé, présent chez Cloudflare' : [],
    ].flatMap((kind) => (kind.length === 0 ? [] : [{ kind: String(kind), id: name }]));
  });
}

function createdNames({ method, path, body, status }: LedgerLine): string[] {
  if (method !== 'POST' || status !== 200 || !path.includes('/dns_records')) return [];
  const posts = path.endsWith('/batch') ? ((Object(body).posts ?? []) as object[]) : [Object(body)];
  return posts.map((post) => String(Object(post).name).split('.')[0] ?? '');
}
