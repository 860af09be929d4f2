import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalBackup } from '@vigie/contracts/backups';
import { Client } from 'pg';
import { findChains, verifyChain } from '../audit/chains';
import { fr } from '../terminal';
import { auditArchives, type Made } from './archives-audit';
import type { Finding } from './audit';
import { doneTwice, Expected, nameOf, overlaps, type SiteState, type SiteTold } from './sites-audit';
import { leftOnSite, readArchive, readArchives, readJournal, readState } from './sites-truth';
import type { Stage } from './stage';
import type { RealSite, Whole } from './whole';
import type { Wishes } from './wishes';
import { auditZone } from './zone-audit';

type Row = {
  id: string;
  kind: string;
  state: string;
  site_id: string | null;
  input: Record<string, unknown>;
  result: Record<string, unknown> | null;
  code: string | null;
  from: number | null;
  to: number | null;
};

type People = {
  wishes: readonly Wishes[];
  /** By site, its plugins before anybody came. */
  first: ReadonlyMap<string, SiteState>;
  /** A list as they read it, once it is answered. */
  list: <T>(path: string) => Promise<T[]>;
};

/** Of what is being written: its writer may be a moment late with it. */
const maxMinutes = 10;
/** Of each agent on each host, and one of somebody's console. */
const maxConnections = 4;

/** What the whole product said, against its sites, its archives, its zone, and its own books. */
export async function auditWhole(stage: Stage, whole: Whole, { wishes, first, list }: People): Promise<Finding[]> {
  const rows = await stage.query<Row>(
    `select id, kind, state, site_id, input, result, error->>'code' as code,
       extract(epoch from started_at)::float as from, extract(epoch from finished_at)::float as to
     from sites.jobs where not is_batch and site_id is not null order by finished_at nulls last, id`,
  );
  const found = await Promise.all([
    ...whole.sites.map((one) => auditSite(whole, one, { rows, first: first.get(one.id) })),
    archivesOf(stage, whole, { rows, wishes, list }),
    chains(stage),
    leftovers(stage, whole),
  ]);
  const notes = new Map(wishes.flatMap(({ records }) => [...records]));
  const { records } = whole.cloudflare.recordsOf(whole.zone.id);
  return [
    ...found.flat(),
    ...overlaps(readJournal(whole.fleet)),
    ...auditZone({ name: whole.zone.name, notes, records, ledger: whole.cloudflare.ledger }),
  ];
}

/** How much there was to compare with: an audit of nothing finds nothing. */
export async function weigh(stage: Stage, whole: Whole): Promise<string> {
  const deeds = whole.sites.flatMap(({ witness }) => witness.deeds).length;
  const archives = (await Promise.all(whole.sites.map(({ site }) => readArchives(site)))).flat().length;
  const { records } = whole.cloudflare.recordsOf(whole.zone.id);
  const [counted] = await stage.query<{ consoles: number; locals: number; chained: number }>(
    `select (select count(*)::int from sites.consoles) as consoles, (select count(*)::int from sites.local_backups) as locals,
       (select count(*)::int from sites.audit_chain) as chained`,
  );
  return fr`${readJournal(whole.fleet).length} opérations au journal du parc, ${deeds} actes de WordPress, ${archives} archives sur place et ${counted?.locals ?? 0} au coffre, ${records.length} enregistrements DNS, ${counted?.consoles ?? 0} consoles, ${counted?.chained ?? 0} lignes d’audit`;
}

type Known = { rows: readonly Row[]; first: SiteState | undefined };

async function auditSite(
  { fleet }: Whole,
  { id, site, witness }: RealSite,
  { rows, first }: Known,
): Promise<Finding[]> {
  const own = rows.filter((row) => row.site_id === id && row.to !== null);
  const expected = new Expected(first ?? { versions: new Map(), active: new Set() });
  for (const row of own) expected.tell(toTold(row));
  const changes = own.filter(({ kind, from }) => from !== null && /^changes\.(update|install)$/.test(kind));
  const windows = changes.map((row) => ({
    id: row.id,
    item: itemOf(row) ?? '',
    from: row.from ?? 0,
    to: row.to ?? 0,
  }));
  const deeds = witness.deeds
    .filter(({ did }) => did === 'update' || did === 'install')
    .map(({ type, item, at }) => ({ item: nameOf(type, item.split('/')[0] ?? ''), at }));
  const left = (await leftOnSite(fleet, site)).map((name) => ({ what: 'reste', id: name }));
  const code = await fetch(site.url).then(({ status }) => status);
  return [
    ...expected.compare(await readState(fleet, site)).map(({ what, id: how }) => ({ what, id: `${site.name} ${how}` })),
    ...doneTwice(windows, deeds),
    ...left,
    ...(code === 200 ? [] : [{ what: 'dit réussi, sans son effet', id: `${site.name} répond ${code}` }]),
  ];
}

const itemOf = ({ input }: Row): string | null => {
  const { kind, slug } = Object(input['item']);
  return typeof slug === 'string' ? nameOf(String(kind), slug) : null;
};

const toTold = (row: Row): SiteTold => ({ ...row, item: itemOf(row), result: row.result ?? {} });

type Listed = { filename: string; location: string };
type Asked = Pick<People, 'wishes' | 'list'> & { rows: readonly Row[] };

async function archivesOf(stage: Stage, whole: Whole, { rows, wishes, list }: Asked): Promise<Finding[]> {
  const hosts = new Map<string, { there: Awaited<ReturnType<typeof readArchives>>; listed: string[] }>();
  for (const { id, site } of whole.sites) {
    const listed = await list<Listed>(`/api/sites/${id}/backups`);
    const own = listed.filter(({ location }) => location === 'Distant').map(({ filename }) => filename);
    hosts.set(id, { there: await readArchives(site), listed: own });
  }
  const [any] = whole.sites;
  const locals = await list<LocalBackup>(`/api/sites/${any?.id}/backups/local`);
  const keys = await stage.query<{ filename: string; key: string }>(
    'select filename, object_key as key from sites.local_backups',
  );
  const store = await Promise.all(
    locals.map(async ({ filename, sha256 }) => {
      const key = keys.find((row) => row.filename === filename)?.key ?? '';
      const path = join(whole.disks.store.folder, 'objects', key);
      const object = key !== '' && existsSync(path) ? await readArchive(path, filename) : undefined;
      return { filename, sha256, object };
    }),
  );
  const deleted = new Set(wishes.flatMap((one) => [...one.deleted]));
  return auditArchives({ hosts, store, made: rows.flatMap(toMade), deleted });
}

function toMade({ id, kind, state, site_id: siteId, result }: Row): Made[] {
  if (state !== 'succeeded' || siteId === null || !result) return [];
  if (!/^backups\.(create|download|import)$/.test(kind)) return [];
  const { filename, local, size, sha256 } = Object(result);
  return [{ id, kind, siteId, filename: String(filename ?? local), size: Number(size), sha256: sha256 ?? null }];
}

async function chains(stage: Stage): Promise<Finding[]> {
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    const found: Finding[] = [];
    for (const schema of await findChains(client)) {
      const { faults, pending } = await verifyChain(client, schema);
      found.push(...faults.map(({ kind, lineId }) => ({ what: 'chaîne', id: `${schema} ${kind} ${lineId}` })));
      if (pending > 0) found.push({ what: 'chaîne', id: `${schema} : ${pending} lignes en attente` });
    }
    return found;
  } finally {
    await client.end();
  }
}

async function leftovers(stage: Stage, { fleet, road, disks }: Whole): Promise<Finding[]> {
  const consoles = await stage.query<{ id: string }>('select id from sites.consoles where ended_at is null');
  const intents = await stage.query<{ id: string }>("select 'intention DNS ' || id as id from dns.intents");
  const turns = await stage.query<{ id: string }>(
    "select 'tour de zone ' || zone_id as id from dns.zone_turns where until > now()",
  );
  const incoming = join(disks.store.folder, 'incoming');
  const parts = readdirSync(incoming).filter(
    (name) => Date.now() - statSync(join(incoming, name)).mtimeMs > maxMinutes * 60_000,
  );
  const agents = stage.product.of('ssh-agent').length;
  const roads = [road, ...stage.hosts.map((host) => host.road)];
  const crowded = roads.filter(({ connections }) => connections > agents * maxConnections);
  const vigie = join(fleet.host.homeOf('deploy'), '.vigie');
  const files = existsSync(vigie) ? readdirSync(vigie, { recursive: true, encoding: 'utf8' }) : [];
  // What agents keep open for the next time is theirs; a shell or a PHP is nobody's by now.
  const processes = fleet.host.left();
  return [
    ...[...consoles, ...intents, ...turns].map(({ id }) => id),
    ...parts,
    ...crowded.map(({ connections }) => `${connections} connexions SSH à un serveur`),
    ...files.filter((file) => /^packages\/.|\.part$|\/\.new-/.test(file)),
    ...processes.map((pid) => `processus ${pid} sur le serveur du parc`),
  ].map((id) => ({ what: 'reste', id }));
}
