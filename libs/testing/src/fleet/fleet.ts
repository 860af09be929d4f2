import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapPooled } from '../map-pooled';
import { freePort, freePorts } from '../ports';
import { SshHost } from '../sshd';
import { Daemons } from './daemons';
import { defaultCache, emptyDatabase, type Golden, makeGolden } from './golden';
import { siteKinds, type SiteKind } from './kinds';
import { CommandError, deploy, run, runOnHost, fleetUnavailableReason, www } from './machine';
import { MariaDb } from './mariadb';
import askScript from './php/ask.php';
import { type FleetSite, makeSite } from './sites';
import type { Releases } from './releases';
import { startWeb } from './web';
import { Witness } from './witness';
import { WordPressOrg } from './wordpress-org';

type Options = {
  kinds?: readonly SiteKind[];
  copies?: number;
  /** Folder to keep and reuse by a later fleet; without it a temporary one is removed at the end. */
  folder?: string;
  cache?: string;
  /** The fake WordPress.org of another fleet, or the port for a new one. */
  wordpressOrg?: WordPressOrg | { port: number };
};

type Ports = { ssh: number; database: number; sites: number[] };
type FleetNote = { ports: Ports; sites: FleetSite[] };

/** A typical web server: SSH, MariaDB, PHP, nginx, and a WordPress site of each kind. */
export class Fleet {
  private constructor(
    readonly host: SshHost,
    readonly sites: readonly FleetSite[],
    readonly wordpressOrg: WordPressOrg,
    private readonly mariadb: MariaDb,
    /** Versions of WordPress: installed on every site, offered, and further ones that tests may offer. */
    readonly versions: Releases & { installed: string },
    private readonly zips: string,
    private readonly daemons: Daemons,
    private readonly end: () => Promise<void>,
  ) {}

  static async start({
    kinds = siteKinds,
    copies = 0,
    cache = defaultCache,
    ...options
  }: Options = {}): Promise<Fleet> {
    const reason = fleetUnavailableReason();
    if (reason !== undefined) throw new Error(`Pas de flotte ici\u00a0: ${reason}.`);
    const requested = [...kinds.map((kind) => ({ kind, name: kind as string })), ...plainCopies(copies)];
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vigie-fleet-'));
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
    const daemons = new Daemons(join(folder, 'logs'));
    const stops = [() => daemons.stop()];
    const end = async () => {
      for (const stop of stops.toReversed()) await stop();
      // `rm` runs as a process, because removing fifty sites would block this one for half a minute.
      if (options.folder === undefined) await run('rm', ['-rf', '--', folder]);
    };
    try {
      const note = readNote(folder);
      const ports = note?.ports ?? (await choosePorts(requested.length));
      const mariadb = new MariaDb(folder, ports.database);
      await mariadb.start(daemons, await emptyDatabase(cache));
      const golden = await makeGolden(cache, mariadb);
      const host = await startHost(folder, ports.ssh, options.folder !== undefined);
      stops.push(() => host.stop());
      const givenOrg = options.wordpressOrg;
      const org = givenOrg instanceof WordPressOrg ? givenOrg : await WordPressOrg.start({ ...golden, ...givenOrg });
      if (org !== givenOrg) stops.push(() => org.close());
      const sites = note?.sites ?? (await makeSites(requested, { root: wwwOf(host), ports, golden, mariadb }));
      await startWeb(folder, sites, daemons);
      writeFileSync(notePath(folder), JSON.stringify({ ports, sites } satisfies FleetNote), { mode: 0o600 });
      return new Fleet(
        host,
        sites,
        org,
        mariadb,
        { installed: golden.version, ...golden.releases },
        golden.zips,
        daemons,
        end,
      );
    } catch (error) {
      await end();
      throw error;
    }
  }

  site(kind: SiteKind): FleetSite {
    const match = this.sites.find((site) => site.kind === kind);
    if (!match) throw new Error(`this fleet has no site of the kind ${kind}`);
    return match;
  }

  /** Runs PHP code in a site's WordPress as the site's owner and returns its value. */
  async runPhp(site: FleetSite, code: string): Promise<unknown> {
    const mark = randomBytes(8).toString('hex');
    const args = ['-d', 'display_errors=0', '--', site.path, new URL(site.url).host, mark, code];
    const as = site.owner === www.name ? www : deploy;
    const printed = await runOnHost('php', args, { input: askScript, as, cwd: '/' }).catch((error: unknown) => {
      // A plugin that prints during shutdown can make PHP fail after the answer.
      if (error instanceof CommandError && error.output.includes(mark)) return error.output;
      throw error;
    });
    const answer = printed.split(mark)[1];
    if (answer === undefined) throw new Error(`${site.name} said nothing: ${printed.slice(0, 2000)}`);
    return JSON.parse(answer) as unknown;
  }

  /** Queries a site's database directly, without its PHP. */
  async query(site: FleetSite, sql: string): Promise<string[][]> {
    const printed = await this.mariadb.query(sql, site.database);
    return printed
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
  }

  /** Stops the database of all sites and starts it again after `meanwhile`. */
  async restartDatabase(meanwhile: () => Promise<unknown> | void): Promise<void> {
    await this.daemons.stopOne('mariadb');
    await meanwhile();
    await this.mariadb.start(this.daemons, '');
  }

  /** Reloads PHP-FPM, as an update of the PHP package does. */
  reloadPhp(): void {
    this.daemons.signal('php-fpm', 'SIGUSR2');
  }

  /** Records WordPress's actions on a site from now on. */
  witness(site: FleetSite): Witness {
    return Witness.installOn(site, join(this.host.homeOf(deploy.name), 'temoins'));
  }

  archive(slug: string, version: string): Buffer {
    return readFileSync(join(this.zips, 'plugin', `${slug}.${version}.zip`));
  }

  close(): Promise<void> {
    return this.end();
  }
}

/** Fills the cache, so that fleets that start at the same time do not each build it. */
export async function prepareFleets(cache = defaultCache): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vigie-fleet-'));
  chmodSync(folder, 0o711);
  const daemons = new Daemons(join(folder, 'logs'));
  try {
    const mariadb = new MariaDb(folder, await freePort());
    await mariadb.start(daemons, await emptyDatabase(cache));
    await makeGolden(cache, mariadb);
  } finally {
    await daemons.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const plainCopies = (copies: number) =>
  Array.from({ length: copies }, (_, index) => ({ kind: 'plain' as const, name: `plain-${index + 2}` }));

async function choosePorts(count: number): Promise<Ports> {
  const [ssh = 0, database = 0, ...sites] = await freePorts(count + 2);
  return { ssh, database, sites };
}

function startHost(folder: string, port: number, isKept: boolean): Promise<SshHost> {
  // The test password is public, so a kept host, which others can reach, accepts keys only.
  const settings = isKept ? ['PasswordAuthentication no', 'PermitRootLogin no'] : [];
  return SshHost.start({ port, settings, users: [deploy, www], ...(isKept && { folder: join(folder, 'ssh') }) });
}

type SiteRequest = { kind: SiteKind; name: string };
type SiteDependencies = { root: string; ports: Ports; golden: Golden; mariadb: MariaDb };

/** The sites' folder below a user's home, which web servers must be able to enter. */
function wwwOf(host: SshHost): string {
  const home = host.homeOf(deploy.name);
  chmodSync(home, 0o711);
  return join(home, 'www');
}

/** More would run out of connections to the database. */
const maxAtOnce = 16;

function makeSites(
  requested: readonly SiteRequest[],
  { root, ports, ...dependencies }: SiteDependencies,
): Promise<FleetSite[]> {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { mode: 0o755 });
  const placed = requested.map((request, index) => ({ ...request, port: ports.sites[index] ?? 0 }));
  return mapPooled(placed, maxAtOnce, ({ kind, name, port }) =>
    makeSite(kind, { folder: root, port, name }, dependencies),
  );
}

const notePath = (folder: string) => join(folder, 'fleet.json');

const readNote = (folder: string): FleetNote | undefined =>
  existsSync(notePath(folder)) ? (JSON.parse(readFileSync(notePath(folder), 'utf8')) as FleetNote) : undefined;
