import { createHash, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { RestoreInput } from '@vigie/contracts/restores';
import { type Connections, connectionsTo } from './connections';
import { Fleet } from './fleet/fleet';
import type { SiteKind } from './fleet/kinds';
import { deploy } from './fleet/machine';
import { contentOf, type FleetSite } from './fleet/sites';
import { processesOf } from './operations';
import { archivesIn, backupsOf, filesBelow } from './packs';
import { targetOf } from './ssh-targets';
import { until } from './until';

/** Options that WordPress writes by itself at each start. */
const volatile = `option_name like '%transient%' or option_name in ('cron', 'rewrite_rules', 'recently_edited')`;
/** Parts of definitions that may differ: counters, definers, and options that the official importer drops. */
const differences =
  / AUTO_INCREMENT=\d+| DEFINER=`[^`]*`@`[^`]*`| (?:TRANSACTIONAL|PAGE_CHECKSUM)=\d| ROW_FORMAT=PAGE/g;
function resultOf({ outcome }: { outcome: Outcome }): Record<string, unknown> {
  if (outcome === 'cancelled' || !('result' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.result;
}
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const access = { host: 'h', row: { table: 'servers', id: randomUUID() }, allows_private: true } as SshAccess;

type RestoreOverrides = Partial<RestoreInput>;
/** Called when a step begins; may cancel the job. */
type OnStep = (step: string | undefined) => 'cancelled' | undefined;
type Outcome = { state: 'succeeded'; result: Record<string, unknown> } | { state: string } | 'cancelled';
type Job = {
  kind: string;
  input: RestoreInput;
  access: SshAccess;
  id?: string;
  onReport?: (progress: { step: string } | null, lines: readonly string[]) => 'cancelled' | undefined;
};
/** Runs a job as an agent does. */
type RunJob = (job: Job) => Promise<{ outcome: Outcome; steps: string[] }>;

const aBackupName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;
export const sha256Of = (path: string) => sha256(readFileSync(path));
export const folderOf = (site: FleetSite) => backupsOf(contentOf(site));

/** Sites that tests back up, wreck, restore and compare. */
export class RestoreStage {
  private constructor(
    readonly fleet: Fleet,
    private readonly runJob: RunJob,
    private readonly connections: ReturnType<typeof connectionsTo>,
  ) {}

  static async start(kinds: readonly SiteKind[], agents: (connections: Connections) => RunJob): Promise<RestoreStage> {
    const fleet = await Fleet.start({ kinds });
    const connections = connectionsTo(targetOf(fleet.host));
    // The first visit makes WordPress add missing options.
    for (const { url } of fleet.sites) await fetch(url);
    return new RestoreStage(fleet, agents(connections), connections);
  }

  async close(): Promise<void> {
    await this.connections.close();
    await this.fleet.close();
  }

  get plain(): FleetSite {
    return this.fleet.site('plain');
  }

  async pack(site: FleetSite): Promise<string> {
    const filename = aBackupName();
    resultOf(await this.runJob({ kind: 'backups.create', input: inputOf(site, filename), access }));
    return filename;
  }

  restore(
    site: FleetSite,
    filename: string,
    overrides: RestoreOverrides = {},
    onStep?: OnStep,
    id: string = randomUUID(),
  ) {
    return this.runJob({
      kind: 'backups.restore',
      input: inputOf(site, filename, overrides),
      access,
      id,
      ...(onStep && { onReport: (progress) => onStep(progress?.step) }),
    });
  }

  completeRestore = async (...args: Parameters<RestoreStage['restore']>) => resultOf(await this.restore(...args));

  async contents(site: FleetSite): Promise<{ files: string[]; rows: string[] }> {
    return { files: filesOf(site), rows: await this.rowsOf(site) };
  }

  /** Definitions and content hashes of all tables, views and triggers, normalised by `plain`. */
  async rowsOf(site: FleetSite, normalise = (text: string) => text): Promise<string[]> {
    const tables = (await this.fleet.query(site, 'show full tables')).map(([name = '', kind]) => ({
      name,
      isView: kind === 'VIEW',
      where: name.endsWith('options') ? `where not (${volatile})` : '',
    }));
    const statements = tables.flatMap(({ name, isView, where }) => [
      `show create ${isView ? 'view' : 'table'} \`${name}\``,
      ...(isView ? [] : [`select * from \`${name}\` ${where}`]),
    ]);
    const answers = (await this.queryAll(site, [...statements, 'show triggers'])).values();
    const next = () => answers.next().value ?? [];
    const all = tables.flatMap(({ name, isView, where }) => {
      const definition = normalise(`${name} ${next()[0]?.[1]?.replace(differences, '').replace('=Aria', '=MyISAM')}`);
      if (isView) return [definition];
      // A restored option may have another id, so ids are not compared.
      const onStep = next().map((row) => normalise((where ? row.slice(1) : row).join('\t')));
      return [definition, `${name} ${onStep.length} ${sha256(onStep.toSorted().join('\n'))}`];
    });
    return [
      ...all,
      ...next().map((trigger) => normalise(trigger.slice(0, 5).join(' ').replaceAll('`', ''))),
    ].toSorted();
  }

  /** Runs statements in one client and returns the rows of each. */
  private async queryAll(site: FleetSite, statements: readonly string[]): Promise<string[][][]> {
    const mark = randomUUID();
    const rows = await this.fleet.query(site, statements.map((sql) => `${sql}; select '${mark}';`).join('\n'));
    const answers: string[][][] = [[]];
    for (const row of rows) {
      if (row[0] === mark) answers.push([]);
      else answers.at(-1)?.push(row);
    }
    return answers;
  }

  /** Leftovers that a restore must not leave. */
  leftovers = (site: FleetSite) => restoreLeftovers(this.fleet, site);

  /** Damages a site like an intruder. */
  async wreck(site: FleetSite, prefix: string): Promise<void> {
    // A restore does not activate a plugin whose files are missing, so it is deactivated first.
    const deactivate = `require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins('vitrine/vitrine.php'); return 1;`;
    await this.fleet.runPhp(site, deactivate);
    rmSync(join(contentOf(site), 'plugins/vitrine'), { recursive: true, force: true });
    rmSync(join(contentOf(site), 'themes/index.php'), { force: true });
    write(site, 'uploads/intrus.php', '<?php');
    write(site, 'plugins/intrus/intrus.php', '<?php /* Plugin Name: Intrus */');
    await this.fleet.query(
      site,
      `drop table if exists ${prefix}postmeta; delete from ${prefix}posts;
       create table if not exists ${prefix}intrus (id int);
       update ${prefix}options set option_value = 'Piraté' where option_name = 'blogname';`,
    );
  }
}

export async function restoreLeftovers(fleet: Fleet, site: FleetSite): Promise<string[]> {
  const content = contentOf(site);
  const folders = [site.path, content, ...['uploads', 'plugins', 'themes'].map((name) => join(content, name))];
  const names = folders.flatMap((folder) => readdirSync(folder));
  const tables = (await fleet.query(site, 'show tables')).map(([name]) => String(name));
  return [
    ...names.filter((name) => /^\.(vigie|maintenance)/.test(name)),
    ...archivesIn(folderOf(site)).filter((name) => name.endsWith('.part')),
    ...tables.filter((name) => /^vg[ro]/.test(name)),
  ];
}

/**
 * Makes a restore wait before it loads any table, by taking its lock in the database. `free` releases the lock;
 * `freeAfterCurrent` first waits for the end of the current PHP, so that only its successor gets the lock.
 */
export async function pauseRestore(fleet: Fleet, site: FleetSite, operation: string) {
  const lock = `vigie ${operation.replaceAll('-', '').slice(-12)}`;
  const lockQuery = fleet.query(site, `select get_lock('${lock}', 0), sleep(170)`).catch(() => []);
  await until(async () => (await fleet.query(site, `select is_free_lock('${lock}')`))[0]?.[0] === '0');
  const running = () => processesOf(operation).filter(({ name }) => name.startsWith('php'));
  const free = async () => {
    const sleeping = `select id from information_schema.processlist where info like 'select get_lock(''${lock}%sleep%'`;
    // A statement of the ended PHP may end by itself meanwhile.
    for (const [id] of await fleet.query(site, sleeping)) await fleet.query(site, `kill ${id}`).catch(() => []);
    await lockQuery;
  };
  const freeAfterCurrent = async () => {
    const first = new Set(running().map(({ pid }) => pid));
    await until(() => running().every(({ pid }) => !first.has(pid)));
    await free();
  };
  return { free, freeAfterCurrent };
}

const inputOf = ({ path, url }: FleetSite, filename: string, overrides: RestoreOverrides = {}): RestoreInput => ({
  site: { id: randomUUID(), version: 1, path, url, php: '/usr/bin/php' },
  content: null,
  filename,
  exclude_cache: true,
  location: 'remote',
  object: null,
  mode: 'merge',
  scope: 'all',
  path: '',
  safety: aBackupName(),
  ...overrides,
});

export const filesOf = (site: FleetSite) =>
  filesBelow(contentOf(site), (path) => path === 'ai1wm-backups' || /^(upgrade|cache)$/.test(path))
    .map(({ path, mtime, real }) => `${path} ${mtime} ${sha256Of(real)}`)
    .toSorted();

export const codeOf = async ({ url }: FleetSite) => (await fetch(url, { redirect: 'manual' })).status;

/** Writes a file below a site's content folder, with the owner of the site. */
export function write(site: FleetSite, name: string, content: string | Buffer): string {
  const path = join(contentOf(site), name);
  const firstCreated = mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  for (let created = path; created.length >= (firstCreated ?? path).length; created = dirname(created))
    chownSync(created, deploy.uid, deploy.gid);
  return path;
}
