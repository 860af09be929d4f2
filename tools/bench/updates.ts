import { rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { run } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { versions } from '@vigie/testing/fleet/extensions';
import { busyMs } from '../proc';
import { root } from '../start/env';
import { fr } from '../terminal';
import { logIn } from './product';
import { ensureSshPrograms } from './ssh-stage';
import { setStage } from './stage';
import { reportUpdates, type Usage } from './updates-report';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const count = 50;
const quickCount = 6;
const slug = 'vitrine';

/** Measures the update of one plugin on many sites, by the product and by the upgrader of WordPress alone. */
export async function benchUpdates(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const owner = await Owner.create(bench, fleet);
  const copy = join(bench.folder, 'as-it-was');
  await run('cp', ['-a', pluginFolder(fleet.site('plain')), copy]);

  bench.step(fr`WordPress cherche les mises à jour`);
  await updateInParallel(fleet.sites, (site) => upgrade(fleet, site, 'wp_update_plugins(); return true;'));
  bench.step(fr`WordPress met à jour`);
  const alone = await measureUsage(() => updateInParallel(fleet.sites, (site) => upgrade(fleet, site, bulkUpgrade)));
  expectVersion(fleet.sites, versions[slug].offered);
  bench.step(fr`remet l’ancienne version`);
  for (const site of fleet.sites) await restoreVersion(copy, site);
  expectVersion(fleet.sites, versions[slug].installed);

  bench.signal.throwIfAborted();
  bench.step(fr`Vigie relit les sites`);
  await owner.refreshAll();
  bench.step(fr`Vigie met à jour`);
  let states: Json = {};
  const product = await measureUsage(async () => {
    states = await owner.updateAll();
  });
  expectVersion(fleet.sites, versions[slug].offered);
  reportUpdates({ count: fleet.sites.length, alone, product, states });
}

const pluginFolder = (site: FleetSite) => join(contentOf(site), 'plugins', slug);

async function restoreVersion(copy: string, site: FleetSite): Promise<void> {
  await rm(pluginFolder(site), { recursive: true });
  await run('cp', ['-a', copy, pluginFolder(site)]);
}

function expectVersion(sites: readonly FleetSite[], version: string): void {
  const outdated = sites.filter(
    (site) => !readFileSync(join(pluginFolder(site), `${slug}.php`), 'utf8').includes(version),
  );
  if (outdated.length > 0) throw new Error(`${outdated.map(({ name }) => name).join(', ')} have no ${slug} ${version}`);
}

/** Processor time is measured for the whole machine, because detached programs of a host have no parent process. */
async function measureUsage(work: () => Promise<void>): Promise<Usage> {
  const [startedAt, busy] = [performance.now(), busyMs()];
  await work();
  return { ms: performance.now() - startedAt, cpuMs: busyMs() - busy };
}

async function updateInParallel(
  sites: readonly FleetSite[],
  work: (site: FleetSite) => Promise<unknown>,
): Promise<void> {
  const waiting = [...sites];
  const worker = async () => {
    for (let site = waiting.pop(); site; site = waiting.pop()) await work(site);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

const upgraders = readFileSync(join(root, 'tools/bench/rivals/upgraders.php'), 'utf8').replace('<?php', '');

const bulkUpgrade = `
  $done = (new Plugin_Upgrader(new Automatic_Upgrader_Skin()))->bulk_upgrade(['${slug}/${slug}.php']);
  return is_array($done['${slug}/${slug}.php'] ?? null);`;

async function upgrade(fleet: Fleet, site: FleetSite, code: string): Promise<void> {
  const answer = await fleet.runPhp(site, `$org = '${fleet.wordpressOrg.url}';${upgraders}${code}`);
  if (answer !== true) throw new Error(`${site.name} was not updated: ${JSON.stringify(answer)}`);
}

type Json = Record<string, unknown>;

/** Sends the API requests of the owner of the sites. */
class Owner {
  private constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly ids: readonly string[],
  ) {}

  static async create(bench: Workbench, fleet: Fleet): Promise<Owner> {
    const quiet = ['HEALTH', 'SCAN', 'VISIT', 'INSPECT'].map((name) => [`VIGIE_${name}_SECONDS`, '0']);
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url, ...Object.fromEntries(quiet) };
    const { product } = await setStage(bench, 'updates', env);
    const session = new Owner(product.address, await logIn(product.address), []);
    const auth = { privateKeyPem: fleet.host.privateKey };
    const form = { name: 'parc', host: '127.0.0.1', port: fleet.host.port, user: 'deploy', auth };
    const server = await session.request('POST', 'servers', form);
    const items = fleet.sites.map(({ path, name, url }) => ({ path, name, url }));
    const imported = await session.request('POST', 'sites/import', { server_id: server['id'], items });
    return new Owner(
      session.address,
      session.token,
      (imported['items'] as Json[]).map(({ id }) => String(id)),
    );
  }

  async refreshAll(): Promise<void> {
    for (const id of this.ids) await this.request('GET', `sites/${id}/inventory?fresh=1`);
  }

  async updateAll(): Promise<Json> {
    const targets = this.ids.map((id) => ({ site_id: id, kind: 'plugin', slug }));
    const { job_id: id } = await this.request('POST', 'updates', { targets });
    for (;;) {
      const { state, counts } = await this.request('GET', `jobs/${String(id)}`);
      if (state !== 'queued' && state !== 'running') return counts as Json;
      await wait(100);
    }
  }

  private async request(method: string, path: string, body?: object): Promise<Json> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.address}/api/${path}`, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Json;
  }
}
