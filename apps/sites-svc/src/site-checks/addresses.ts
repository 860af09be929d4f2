import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { type Checks, countFailures, countSuccesses, type Failure } from '../incidents/conditions';
import { removeSubjects } from '../incidents/end-incidents';
import { checkSeconds } from '../sweeps/schedule';
import { toJsonb } from '../to-jsonb';
import { findExcused } from './excused';
import { type AddressVerdict, judgeAddresses, type KnownAddresses, type SeenAddresses } from './judge-addresses';

type Check = Input<typeof reportVisits>['items'][number] & { seconds: number };

const checks: Checks = { kind: 'dns', subjectKind: 'site', seconds: checkSeconds('site-visit') };

type Row = {
  id: string;
  stored: KnownAddresses | null;
  is_wordpress: boolean;
  server_host: string | null;
  /** Whether failed checks are counted, or an incident is open. */
  is_counted: boolean;
};
type Judged = SeenAddresses & {
  id: string;
  seconds: number;
  row: Row;
  verdict: AddressVerdict;
  next: KnownAddresses | undefined;
};

/** Stores the addresses that the names of sites lead to, and counts those that lead elsewhere. */
export async function countAddresses(manager: EntityManager, items: readonly Check[]): Promise<boolean> {
  const ids = items.map(({ id }) => id);
  const rows = new Map((await findRows(manager, ids)).map((row) => [row.id, row]));
  const now = new Date();
  const seen = items.flatMap(({ id, url, seen: { code }, addresses: found, seconds }) => {
    const row = rows.get(id);
    if (!row) return [];
    const isGood = code > 0 && code < 500 && row.is_wordpress;
    const [host, addresses] = [new URL(url).hostname, found ?? []];
    return [
      { id, seconds, row, host, addresses, isGood, isOfServer: (address: string) => address === row.server_host },
    ];
  });
  const judged = seen.map((site) => judge(site, now));
  const known = await knowsOfNeighbours(manager, judged);
  const certain = judged.map((site) => (known.has(site.id) ? judge({ ...site, isOfServer: () => true }, now) : site));
  await saveAddresses(manager, certain);
  const moved = certain.filter(({ row, host }) => row.is_counted && row.stored !== null && row.stored.host !== host);
  if (moved.length > 0)
    await forgetFailures(
      manager,
      moved.map(({ id }) => id),
    );
  const elsewhere = certain.filter(({ verdict }) => verdict === 'elsewhere');
  const excused = await findExcused(
    manager,
    elsewhere.map(({ id }) => id),
  );
  const failures = elsewhere.filter(({ id }) => !excused.has(id)).map(toFailure);
  const mustOpen = await countFailures(manager, checks, failures);
  const good = certain.filter(({ row, verdict }) => row.is_counted && verdict === 'right').map(({ id }) => id);
  return (await countSuccesses(manager, checks, good)) || mustOpen;
}

/** What the former name of a site led to is no matter of the site any more. */
const forgetFailures = (manager: EntityManager, ids: readonly string[]): Promise<void> =>
  manager.transaction((transaction) => removeSubjects(transaction, ids, 'dns'));

const judge = (site: Omit<Judged, 'verdict' | 'next'>, now: Date): Judged => ({
  ...site,
  ...judgeAddresses(site.row.stored ?? undefined, site, now),
});

async function findRows(manager: EntityManager, ids: readonly string[]): Promise<Row[]> {
  const rows: (Omit<Row, 'stored'> & { host: string | null } & Omit<KnownAddresses, 'host'>)[] = await manager.query(
    `select s.id, s.wp_version is not null as is_wordpress, coalesce(s.host, v.host) as server_host,
       a.host, a.known, a.current, a.previous, a.changed_at, a.learned_at,
       exists (select from conditions c where c.subject_id = s.id and c.kind = 'dns') as is_counted
     from sites s left join servers v on v.id = s.server_id left join site_addresses a on a.site_id = s.id
     where s.id = any($1::uuid[])`,
    [ids],
  );
  return rows.map(({ id, is_wordpress, server_host, is_counted, host, ...stored }) => ({
    id,
    is_wordpress,
    server_host,
    is_counted,
    stored: host === null ? null : { host, ...stored },
  }));
}

/**
 * Of the sites that seem to lead elsewhere, those that lead where a site of their server has long been right, or somebody said
 * that one is.
 */
async function knowsOfNeighbours(manager: EntityManager, judged: readonly Judged[]): Promise<Set<string>> {
  const elsewhere = judged.flatMap(({ id, addresses, verdict }) =>
    verdict === 'elsewhere' ? [{ id, addresses }] : [],
  );
  if (elsewhere.length === 0) return new Set();
  const rows: { id: string }[] = await manager.query(
    `with seen as (
       select s.id, s.server_id, r.addresses from jsonb_to_recordset($1::jsonb) as r(id uuid, addresses text[])
         join sites s on s.id = r.id where s.server_id is not null),
     servers as (
       select m.server_id, array_agg(distinct k) as known
       from (select distinct server_id from seen) v join sites m on m.server_id = v.server_id
         join site_addresses a on a.site_id = m.id cross join unnest(a.known) k
       where a.is_accepted or a.learned_at <= now() - interval '1 day' group by 1)
     select seen.id from seen join servers v on v.server_id = seen.server_id where v.known && seen.addresses`,
    [toJsonb(elsewhere)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Only what has changed: nearly every visit finds what the last one found. What somebody accepts meanwhile stays. */
async function saveAddresses(manager: EntityManager, judged: readonly Judged[]): Promise<void> {
  const changed = judged.flatMap(({ id, row: { stored }, next }) =>
    next && JSON.stringify(next) !== JSON.stringify(stored) ? [{ id, stored, next }] : [],
  );
  await insertAddresses(
    manager,
    changed.filter(({ stored }) => !stored),
  );
  await updateAddresses(
    manager,
    changed.filter(({ stored }) => stored),
  );
}

type Changed = { id: string; stored: KnownAddresses | null; next: KnownAddresses };

const columns = `id uuid, host text, known text[], current text[], previous text[], changed_at timestamptz,
  learned_at timestamptz, read_at timestamptz`;
const toRecords = (changed: readonly Changed[]) =>
  toJsonb(changed.map(({ id, stored, next }) => ({ id, ...next, read_at: stored?.learned_at })));

async function insertAddresses(manager: EntityManager, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  await manager.query(
    `insert into site_addresses (site_id, host, known, current, previous, changed_at, learned_at)
     select s.id, r.host, r.known, r.current, r.previous, r.changed_at, r.learned_at
     from jsonb_to_recordset($1::jsonb) as r(${columns}) join sites s on s.id = r.id order by s.id
     on conflict (site_id) do nothing`,
    [toRecords(changed)],
  );
}

async function updateAddresses(manager: EntityManager, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  // JavaScript knows no microseconds.
  await manager.query(
    `with r as (select * from jsonb_to_recordset($1::jsonb) as r(${columns})),
     kept as (select a.site_id from site_addresses a join r on r.id = a.site_id
       where date_trunc('milliseconds', a.learned_at) = r.read_at order by a.site_id for no key update of a)
     update site_addresses a set host = r.host, known = r.known, current = r.current, previous = r.previous,
       changed_at = r.changed_at, learned_at = r.learned_at, is_accepted = a.is_accepted and r.learned_at = r.read_at
     from r join kept on kept.site_id = r.id where a.site_id = r.id`,
    [toRecords(changed)],
  );
}

const maxNamed = 3;

function listAddresses(addresses: readonly string[]): string {
  const others = addresses.length - maxNamed;
  const named = addresses.slice(0, maxNamed).join(', ');
  return others > 0 ? `${named} et ${others} autre${others > 1 ? 's' : ''}` : named;
}

function toFailure({ id, seconds, host, addresses, row: { stored } }: Judged): Failure {
  const known = listAddresses(stored?.known ?? []);
  const reason = `${host} pointait vers ${known}, et pointe maintenant vers ${listAddresses(addresses)}.`;
  return { id, seconds, evidence: { code: null, reason, ends_at: null } };
}
