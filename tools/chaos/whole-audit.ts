import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalBackup } from '@vigie/contracts/backups';
import { Client } from 'pg';
import { findChains, verifyChain } from '../audit/chains';
import { fr } from '../terminal';
import { auditArchives, type CreatedArchive } from './archives-audit';
import type { Finding } from './audit';
import {
  findRepeatedActions,
  ExpectedSite,
  itemName,
  findOverlappingOperations,
  type SiteState,
  type SiteJob,
} from './sites-audit';
import { findSiteLeftovers, readArchive, readArchives, readJournal, readState } from './read-sites';
import type { Stage } from './stage';
import type { RealSite, WholeStage } from './whole-stage';
import type { UserActions } from './user-actions';
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

type AuditInputs = {
  actions: readonly UserActions[];
  statesBefore: ReadonlyMap<string, SiteState>;
  list: <T>(path: string) => Promise<T[]>;
};

/** Partial uploads may be this old. */
const maxMinutes = 10;
/** The SSH connections that an agent may have to a host, including a console. */
const maxConnections = 4;

/** Audits the sites, archives, DNS records and audit chains of a whole product. */
export async function auditWhole(
  stage: Stage,
  whole: WholeStage,
  { actions, statesBefore: stateBefore, list }: AuditInputs,
): Promise<Finding[]> {
  const rows = await stage.query<Row>(
    `select id, kind, state, site_id, input, result, error->>'code' as code,
       extract(epoch from started_at)::float as from, extract(epoch from finished_at)::float as to
     from sites.jobs where not is_batch and site_id is not null order by finished_at nulls last, id`,
  );
  const findings = await Promise.all([
    ...whole.sites.map((userActions) =>
      auditSite(whole, userActions, { rows, statesBefore: stateBefore.get(userActions.id) }),
    ),
    auditAllArchives(stage, whole, { rows, actions, list }),
    auditChains(stage),
    findWholeLeftovers(stage, whole),
  ]);
  const expectedRecords = new Map(actions.flatMap(({ records }) => [...records]));
  const { records } = whole.cloudflare.recordsOf(whole.zone.id);
  return [
    ...findings.flat(),
    ...findOverlappingOperations(readJournal(whole.fleet)),
    ...auditZone({ name: whole.zone.name, expected: expectedRecords, records, ledger: whole.cloudflare.ledger }),
  ];
}

/** Counts what was compared, because an audit of nothing finds nothing. */
export async function describeEvidence(stage: Stage, whole: WholeStage): Promise<string> {
  const actions = whole.sites.flatMap(({ witness }) => witness.actions).length;
  const archives = (await Promise.all(whole.sites.map(({ site }) => readArchives(site)))).flat().length;
  const { records } = whole.cloudflare.recordsOf(whole.zone.id);
  const [counts] = await stage.query<{ consoles: number; locals: number; chained: number }>(
    `select (select count(*)::int from sites.consoles) as consoles, (select count(*)::int from sites.local_backups) as locals,
       (select count(*)::int from sites.audit_chain) as chained`,
  );
  return fr`${readJournal(whole.fleet).length} opérations au journal du parc, ${actions} actes de WordPress, ${archives} archives sur place et ${counts?.locals ?? 0} au coffre, ${records.length} enregistrements DNS, ${counts?.consoles ?? 0} consoles, ${counts?.chained ?? 0} lignes d’audit`;
}

type SiteInputs = { rows: readonly Row[]; statesBefore: SiteState | undefined };

async function auditSite(
  { fleet }: WholeStage,
  { id, site, witness }: RealSite,
  { rows, statesBefore: stateBefore }: SiteInputs,
): Promise<Finding[]> {
  const siteJobs = rows.filter((row) => row.site_id === id && row.to !== null);
  const expected = new ExpectedSite(stateBefore ?? { versions: new Map(), active: new Set() });
  for (const row of siteJobs) expected.apply(toSiteJob(row));
  const changes = siteJobs.filter(({ kind, from }) => from !== null && /^changes\.(update|install)$/.test(kind));
  const windows = changes.map((row) => ({
    id: row.id,
    item: itemOf(row) ?? '',
    from: row.from ?? 0,
    to: row.to ?? 0,
  }));
  const actions = witness.actions
    .filter(({ did }) => did === 'update' || did === 'install')
    .map(({ type: kind, item, at }) => ({ item: itemName(kind, item.split('/')[0] ?? ''), at }));
  const leftovers = (await findSiteLeftovers(fleet, site)).map((name) => ({ kind: 'reste', id: name }));
  const code = await fetch(site.url).then(({ status }) => status);
  return [
    ...expected
      .compare(await readState(fleet, site))
      .map(({ kind, id: description }) => ({ kind, id: `${site.name} ${description}` })),
    ...findRepeatedActions(windows, actions),
    ...leftovers,
    ...(code === 200 ? [] : [{ kind: 'dit réussi, sans son effet', id: `${site.name} répond ${code}` }]),
  ];
}

const itemOf = ({ input }: Row): string | null => {
  const { kind, slug } = Object(input['item']);
  return typeof slug === 'string' ? itemName(String(kind), slug) : null;
};

const toSiteJob = (row: Row): SiteJob => ({ ...row, item: itemOf(row), result: row.result ?? {} });

type ListedBackup = { filename: string; location: string };
type ArchiveInputs = Pick<AuditInputs, 'actions' | 'list'> & { rows: readonly Row[] };

async function auditAllArchives(
  stage: Stage,
  whole: WholeStage,
  { rows, actions, list }: ArchiveInputs,
): Promise<Finding[]> {
  const hosts = new Map<string, { archives: Awaited<ReturnType<typeof readArchives>>; listed: string[] }>();
  for (const { id, site } of whole.sites) {
    const listed = await list<ListedBackup>(`/api/sites/${id}/backups`);
    const onHost = listed.filter(({ location }) => location === 'Distant').map(({ filename }) => filename);
    hosts.set(id, { archives: await readArchives(site), listed: onHost });
  }
  const [anySite] = whole.sites;
  const locals = await list<LocalBackup>(`/api/sites/${anySite?.id}/backups/local`);
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
  const deleted = new Set(actions.flatMap((userActions) => [...userActions.deleted]));
  return auditArchives({ hosts, store, created: rows.flatMap(toCreatedArchives), deleted });
}

function toCreatedArchives({ id, kind, state, site_id: siteId, result }: Row): CreatedArchive[] {
  if (state !== 'succeeded' || siteId === null || !result) return [];
  if (!/^backups\.(create|download|import)$/.test(kind)) return [];
  const { filename, local, size, sha256 } = Object(result);
  return [{ id, kind, siteId, filename: String(filename ?? local), size: Number(size), sha256: sha256 ?? null }];
}

async function auditChains(stage: Stage): Promise<Finding[]> {
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    const findings: Finding[] = [];
    for (const schema of await findChains(client)) {
      const { faults, pending } = await verifyChain(client, schema);
      findings.push(...faults.map(({ kind, lineId }) => ({ kind: 'chaîne', id: `${schema} ${kind} ${lineId}` })));
      if (pending > 0) findings.push({ kind: 'chaîne', id: `${schema} : ${pending} lignes en attente` });
    }
    return findings;
  } finally {
    await client.end();
  }
}

async function findWholeLeftovers(stage: Stage, { fleet, proxy, disks }: WholeStage): Promise<Finding[]> {
  const consoles = await stage.query<{ id: string }>('select id from sites.consoles where ended_at is null');
  const pendingWrites = await stage.query<{ id: string }>("select 'intention DNS ' || id as id from dns.intents");
  const zoneLocks = await stage.query<{ id: string }>(
    "select 'tour de zone ' || zone_id as id from dns.zone_turns where until > now()",
  );
  const incoming = join(disks.store.folder, 'incoming');
  const parts = readdirSync(incoming).filter(
    (name) => Date.now() - statSync(join(incoming, name)).mtimeMs > maxMinutes * 60_000,
  );
  const agents = stage.product.processesOf('ssh-agent').length;
  const proxies = [proxy, ...stage.hosts.map((host) => host.proxy)];
  const overloaded = proxies.filter(({ connections }) => connections > agents * maxConnections);
  const vigie = join(fleet.host.homeOf('deploy'), '.vigie');
  const files = existsSync(vigie) ? readdirSync(vigie, { recursive: true, encoding: 'utf8' }) : [];
  // Agents may keep connections open, but no shell or PHP process may be left.
  const processes = fleet.host.userProcesses();
  return [
    ...[...consoles, ...pendingWrites, ...zoneLocks].map(({ id }) => id),
    ...parts,
    ...overloaded.map(({ connections }) => `${connections} connexions SSH à un serveur`),
    ...files.filter((file) => /^packages\/.|\.part$|\/\.new-/.test(file)),
    ...processes.map((pid) => `processus ${pid} sur le serveur du parc`),
  ].map((id) => ({ kind: 'reste', id }));
}
