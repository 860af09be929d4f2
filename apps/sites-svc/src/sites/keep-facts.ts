import type { UpdateCheck, Extension, SiteFacts } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import { type EntityManager, IsNull } from 'typeorm';
import { toJsonb } from '../db/to-jsonb';
import { isCredentialRefusal } from '../servers/refusals';
import { hurryInspections } from '../sweeps/schedule';
import { shownKeyOf } from '../servers/shown-keys';
import { mergeFacts } from './merge-facts';
import { type KeptFacts, Site } from './site.entity';

/** What a look found, or why it found nothing; of the way that it took, by its version. */
export type Looked = {
  id: string;
  version: number;
  facts: SiteFacts | null;
  failure: JobError | null;
  host_key?: string | null | undefined;
  path?: string | null | undefined;
};

type Known = { id: string; version: number; facts: KeptFacts | null; inspected_at: Date | null };

/** What was seen holds for the sites as they were asked, and where nothing newer is known. */
export async function keepLooks(manager: EntityManager, told: readonly Looked[]): Promise<void> {
  const known = await holdKnown(manager, told);
  const looks = told.filter(({ id, version }) => known.get(id)?.version === version);
  if (looks.length === 0) return;
  await pinKeys(manager, looks);
  await keepPaths(manager, looks);
  const seen = looks.flatMap(({ id, facts }) => (facts ? [{ id, facts, known: known.get(id) }] : []));
  if (seen.length > 0) await keepFacts(manager, seen);
  const failed = looks.flatMap(({ id, version, failure }) =>
    failure
      ? [
          {
            id,
            version,
            error: failure.message,
            is_refusal: isCredentialRefusal(failure.code),
            shown_key: shownKeyOf(failure),
          },
        ]
      : [],
  );
  if (failed.length > 0) await keepFailures(manager, failed);
}

/** Held from here on, the servers first, as whoever edits one holds them: nothing of an old way gets onto a new one. */
async function holdKnown(manager: EntityManager, looks: readonly Looked[]): Promise<Map<string, Known>> {
  const ids = looks.map(({ id }) => id);
  await manager.query(
    `select id from servers where id in (select server_id from sites where id = any($1::uuid[])) order by id
     for no key update`,
    [ids],
  );
  const rows: Known[] = await manager.query(
    'select id, version, facts, inspected_at from sites where id = any($1::uuid[]) order by id for update',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Where it was found, when nobody had said. */
async function keepPaths(manager: EntityManager, looks: readonly Looked[]): Promise<void> {
  for (const { id, path } of looks) if (path) await manager.update(Site, { id, path: IsNull() }, { path });
}

type Seen = { id: string; facts: SiteFacts; known: Known | undefined };

async function keepFacts(manager: EntityManager, seen: readonly Seen[]): Promise<void> {
  const kept = seen.flatMap(({ id, facts: found, known }) => {
    if (isOlder(found, known)) return [];
    const merged = mergeFacts(found, known?.facts ?? null);
    const [facts, extensions] = [merged.facts, merged.extensions && eachOnce(merged.extensions)];
    return [{ ...columnsOf(facts, extensions), id, is_inspected: found.depth === 'inspect', facts, extensions }];
  });
  if (kept.length === 0) return;
  await writeFacts(manager, kept);
  const unsure = kept.filter(({ is_inspected: isInspected, facts }) => !isInspected && facts.needs_boot.length > 0);
  await hurryInspections(
    manager,
    unsure.map(({ id }) => id),
  );
}

/** As they are told apart where they are kept: what a host names twice counts once. */
const eachOnce = (extensions: readonly Extension[]): readonly Extension[] => [
  ...new Map(extensions.map((one) => [toJsonb([one.type, one.slug, one.kind, one.file ?? '']), one])).values(),
];

/**
 * An inspection that began before another one is older, however long WordPress took: one follows each change. A scan made
 * while WordPress was asked is no news to what that said, nor may it keep WordPress from being heard where both saw the same.
 */
function isOlder({ depth, mark, read_at: began, ended_at: ended }: SiteFacts, known: Known | undefined): boolean {
  if (!known?.facts) return false;
  const { facts } = known;
  const readAt = Date.parse(facts.read_at);
  if (depth === 'scan') return Date.parse(began) < Math.max(readAt, Date.parse(facts.ended_at ?? facts.read_at));
  if (Date.parse(began) < (known.inspected_at?.getTime() ?? 0)) return true;
  const isSame = mark !== null && mark === facts.mark;
  return !isSame && Date.parse(ended ?? began) < readAt;
}

/** Without a successful check, no offers means unknown, not zero. */
const knownCount = (count: number, { checked_at: at }: UpdateCheck) => (count > 0 || at !== null ? count : null);

function columnsOf(facts: KeptFacts, extensions: readonly Extension[] | null) {
  const of = (type: Extension['type']) => extensions?.filter((each) => each.type === type && each.kind === 'regular');
  const updatesOf = (type: Extension['type'], check: UpdateCheck) => {
    const all = of(type);
    return all ? knownCount(all.filter(({ hasUpdate }) => hasUpdate).length, check) : null;
  };
  const { checks } = facts;
  return {
    wp_version: facts.core.version,
    new_wp_version: facts.core.new_version,
    updates_core: knownCount(Number(facts.core.hasUpdate), checks.core),
    plugins_count: of('plugin')?.length ?? null,
    themes_count: of('theme')?.length ?? null,
    updates_plugins: updatesOf('plugin', checks.plugins),
    updates_themes: updatesOf('theme', checks.themes),
    php_binary: facts.php?.binary ?? null,
    php_version: facts.php?.version ?? null,
    problem: facts.problem,
    mark: facts.mark,
    read_at: facts.read_at,
  };
}

/** Of extensions only those lines are written that are other ones than before. */
async function writeFacts(manager: EntityManager, kept: readonly object[]): Promise<void> {
  await manager.query(
    `with seen as (
       select * from jsonb_to_recordset($1::jsonb) as r(id uuid, wp_version text, new_wp_version text, updates_core int,
         plugins_count int, themes_count int, updates_plugins int, updates_themes int, php_binary text, php_version text,
         problem jsonb, mark text, read_at timestamptz, is_inspected boolean, facts jsonb, extensions jsonb)
     ), site as (
       update sites s set ssh_error = null, refusal = null, shown_key = null, wp_version = r.wp_version, new_wp_version = r.new_wp_version,
         updates_core = r.updates_core, plugins_count = coalesce(r.plugins_count, s.plugins_count),
         themes_count = coalesce(r.themes_count, s.themes_count),
         updates_plugins = coalesce(r.updates_plugins, s.updates_plugins),
         updates_themes = coalesce(r.updates_themes, s.updates_themes),
         php_binary = coalesce(r.php_binary, s.php_binary), php_version = coalesce(r.php_version, s.php_version),
         problem = nullif(r.problem, 'null'), mark = r.mark, read_at = r.read_at, facts = r.facts,
         inspected_at = case when r.is_inspected then r.read_at else s.inspected_at end,
         inspected_mark = case when r.is_inspected then r.mark else s.inspected_mark end
       from seen r where s.id = r.id
     ), found as (
       select s.id as site_id, s.owner_id, e.type, e.slug, e.kind, coalesce(e.file, '') as file, e.name, e.version, e.status,
         e.is_network_active, e.parent, e."hasUpdate" as has_update, e.new_version,
         row_number() over (partition by s.id, e.type, e.slug, e.kind
           order by e."hasUpdate" desc, e.status, coalesce(e.file, '')) = 1 as is_main
       from seen r join sites s on s.id = r.id cross join jsonb_to_recordset(r.extensions) as e(type text, slug text, kind text,
         file text, name text, version text, status text, is_network_active boolean, parent text, "hasUpdate" boolean,
         new_version text)
       where jsonb_typeof(r.extensions) = 'array'
     ), gone as (
       delete from site_extensions x using seen r
       where x.site_id = r.id and jsonb_typeof(r.extensions) = 'array' and not exists (
         select from found f where f.site_id = x.site_id
           and (f.type, f.slug, f.kind, f.file) = (x.type, x.slug, x.kind, x.file))
     )
     insert into site_extensions as x (site_id, owner_id, type, slug, kind, file, name, version, status, is_network_active,
       parent, has_update, new_version, is_main)
     select * from found
     on conflict (site_id, type, slug, kind, file) do update set name = excluded.name, version = excluded.version,
       status = excluded.status, is_network_active = excluded.is_network_active, parent = excluded.parent,
       has_update = excluded.has_update, new_version = excluded.new_version, is_main = excluded.is_main
     where (x.name, x.version, x.status, x.is_network_active, x.parent, x.has_update, x.new_version, x.is_main)
       is distinct from (excluded.name, excluded.version, excluded.status, excluded.is_network_active, excluded.parent,
         excluded.has_update, excluded.new_version, excluded.is_main)`,
    [toJsonb([...kept])],
  );
}

type Failed = { id: string; version: number; error: string; is_refusal: boolean; shown_key: string | null };

/** Its server, where a site goes by its server's whole way. */
const lender = `left join servers v on v.id = s.server_id and s.credential is null
  and (coalesce(s.host, v.host), coalesce(s.port, v.port), coalesce(s.login, v.login)) = (v.host, v.port, v.login)`;

/** A credential that was refused, and another key that was shown, are its server's where the site goes by its way. */
async function keepFailures(manager: EntityManager, failed: readonly Failed[]): Promise<void> {
  await manager.query(
    `with failed as (
       select s.id, v.id as server_id, r.error, r.is_refusal, r.shown_key
       from jsonb_to_recordset($1::jsonb) as r(id uuid, version int, error text, is_refusal boolean, shown_key text)
       join sites s on s.id = r.id and s.version = r.version ${lender}
     ), of_servers as (
       update servers v set refusal = case when f.is_refusal then f.error else v.refusal end,
         shown_key = coalesce(f.shown_key, v.shown_key)
       from failed f where f.server_id = v.id and (f.is_refusal or f.shown_key is not null))
     update sites s set ssh_error = f.error,
       refusal = case when f.is_refusal and f.server_id is null then f.error else s.refusal end,
       shown_key = case when f.server_id is null then coalesce(f.shown_key, s.shown_key) else s.shown_key end
     from failed f where s.id = f.id`,
    [toJsonb([...failed])],
  );
}

/** The first key that a host shows is the one it must show from then on. */
async function pinKeys(manager: EntityManager, looks: readonly Looked[]): Promise<void> {
  const shown = looks.flatMap(({ id, version, host_key: key }) => (key ? [{ id, version, key }] : []));
  if (shown.length === 0) return;
  await manager.query(
    `with shown as (select * from jsonb_to_recordset($1::jsonb) as r(id uuid, version int, key text)),
       ways as (
         select s.id, v.id as server_id, r.key from shown r join sites s on s.id = r.id and s.version = r.version ${lender}),
       of_servers as (
         update servers v set host_key = w.key from ways w where v.id = w.server_id and v.host_key is null)
     update sites s set host_key = w.key from ways w where s.id = w.id and w.server_id is null and s.host_key is null`,
    [JSON.stringify(shown)],
  );
}

/** What is known of another place says nothing of this one. */
export async function unread(manager: EntityManager, ids: readonly string[]): Promise<void> {
  for (const table of ['site_extensions', 'asides', 'site_licences']) {
    await manager.query(`delete from ${table} where site_id = any($1::uuid[])`, [ids]);
  }
  await manager.query(
    `update sites set ssh_error = null, problem = null, facts = null, mark = null, php_binary = null, php_version = null,
       wp_version = null, new_wp_version = null, plugins_count = null, themes_count = null, updates_core = null,
       updates_plugins = null, updates_themes = null, read_at = null, inspected_at = null, inspected_mark = null
     where id = any($1::uuid[])`,
    [ids],
  );
}
