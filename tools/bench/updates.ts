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
import { reportUpdates, type Spent } from './updates-report';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const count = 50;
const quickCount = 6;
const slug = 'vitrine';

/** One plugin of many sites: by the whole product, and by WordPress's own upgrader with nothing around it. */
export async function benchUpdates(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const owner = await Owner.of(bench, fleet);
  const copy = join(bench.folder, 'as-it-was');
  await run('cp', ['-a', folderOf(fleet.site('plain')), copy]);

  bench.step(fr`WordPress cherche les mises à jour`);
  await inTurns(fleet.sites, (site) => upgrade(fleet, site, 'wp_update_plugins(); return true;'));
  bench.step(fr`WordPress met à jour`);
  const alone = await spent(() => inTurns(fleet.sites, (site) => upgrade(fleet, site, bulkUpgrade)));
  expectVersion(fleet.sites, versions[slug].offered);
  bench.step(fr`remet l’ancienne version`);
  for (const site of fleet.sites) await putBack(copy, site);
  expectVersion(fleet.sites, versions[slug].installed);

  bench.signal.throwIfAborted();
  bench.step(fr`Vigie relit les sites`);
  await owner.refreshAll();
  bench.step(fr`Vigie met à jour`);
  let states: Told = {};
  const product = await spent(async () => {
    states = await owner.updateAll();
  });
  expectVersion(fleet.sites, versions[slug].offered);
  reportUpdates({ count: fleet.sites.length, alone, product, states });
}

const folderOf = (site: FleetSite) => join(contentOf(site), 'plugins', slug);

async function putBack(copy: string, site: FleetSite): Promise<void> {
  await rm(folderOf(site), { recursive: true });
  await run('cp', ['-a', copy, folderOf(site)]);
}

function expectVersion(sites: readonly FleetSite[], version: string): void {
  const other = sites.filter((site) => !readFileSync(join(folderOf(site), `${slug}.php`), 'utf8').includes(version));
  if (other.length > 0) throw new Error(`${other.map(({ name }) => name).join(', ')} have no ${slug} ${version}`);
}

/** The processors by the whole machine: what runs on a host has no parent to ask any more. */
async function spent(work: () => Promise<void>): Promise<Spent> {
  const [since, busy] = [performance.now(), busyMs()];
  await work();
  return { ms: performance.now() - since, cpuMs: busyMs() - busy };
}

/** As many at once as there are cores. */
async function inTurns(sites: readonly FleetSite[], work: (site: FleetSite) => Promise<unknown>): Promise<void> {
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
  const answer = await fleet.ask(site, `$org = '${fleet.wordpressOrg.url}';${upgraders}${code}`);
  if (answer !== true) throw new Error(`${site.name} was not updated: ${JSON.stringify(answer)}`);
}

type Told = Record<string, unknown>;

/** Whoever owns the sites, at the product's door. */
class Owner {
  private constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly ids: readonly string[],
  ) {}

  static async of(bench: Workbench, fleet: Fleet): Promise<Owner> {
    const quiet = ['HEALTH', 'SCAN', 'VISIT', 'INSPECT'].map((name) => [`VIGIE_${name}_SECONDS`, '0']);
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url, ...Object.fromEntries(quiet) };
    const { product } = await setStage(bench, 'updates', env);
    const stranger = new Owner(product.address, await logIn(product.address), []);
    const auth = { privateKeyPem: fleet.host.privateKey };
    const form = { name: 'parc', host: '127.0.0.1', port: fleet.host.port, user: 'deploy', auth };
    const server = await stranger.ask('POST', 'servers', form);
    const items = fleet.sites.map(({ path, name, url }) => ({ path, name, url }));
    const made = await stranger.ask('POST', 'sites/import', { server_id: server['id'], items });
    return new Owner(
      stranger.address,
      stranger.token,
      (made['items'] as Told[]).map(({ id }) => String(id)),
    );
  }

  async refreshAll(): Promise<void> {
    for (const id of this.ids) await this.ask('GET', `sites/${id}/inventory?fresh=1`);
  }

  async updateAll(): Promise<Told> {
    const targets = this.ids.map((id) => ({ site_id: id, kind: 'plugin', slug }));
    const { job_id: id } = await this.ask('POST', 'updates', { targets });
    for (;;) {
      const { state, counts } = await this.ask('GET', `jobs/${String(id)}`);
      if (state !== 'queued' && state !== 'running') return counts as Told;
      await wait(100);
    }
  }

  private async ask(method: string, path: string, body?: object): Promise<Told> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.address}/api/${path}`, sent);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Told;
  }
}
