import { rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { run } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { versions } from '@vigie/testing/fleet/extensions';
import { mapPooled } from '../map-pooled';
import { busyMs } from '../proc';
import { root } from '../start/env';
import { fr, seconds } from '../terminal';
import { measure, type Part, timed } from './measure';
import { logIn, requestAs } from './product';
import { aim, milliseconds, number, ratioTo } from './report';
import { ensureSshPrograms } from './ssh-stage';
import { setStage } from './stage';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const count = 50;
const quickCount = 6;
const slug = 'vitrine';

/** Measures the update of one plugin on many sites, by the product and by the upgrader of WordPress alone. */
export const updates: Part = async (bench, isQuick) => {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const { sites } = fleet;
  const owner = await Owner.create(bench, fleet);
  const copy = join(bench.folder, 'as-it-was');
  await run('cp', ['-a', pluginFolder(fleet.site('plain')), copy]);
  const runOnAll = (code: string) => mapPooled(sites, availableParallelism(), (site) => upgrade(fleet, site, code));
  const restoreAll = async () => {
    for (const site of sites) await restoreVersion(copy, site);
    expectVersion(sites, versions[slug].installed);
    await owner.refreshAll();
  };
  const measureUpdate = async (work: () => Promise<unknown>) => {
    const usage = await measureUsage(work);
    expectVersion(sites, versions[slug].offered);
    return usage;
  };
  return [
    measure({
      title: fr`Une extension de ${sites.length} sites mise à jour`,
      contenders: {
        alone: {
          name: fr`WordPress seul (bulk_upgrade)`,
          prepare: () => runOnAll('wp_update_plugins(); return true;'),
          run: () => measureUpdate(() => runOnAll(bulkUpgrade)),
        },
        vigie: {
          name: fr`Vigie, de la demande à la fin`,
          prepare: restoreAll,
          run: () => measureUpdate(() => owner.updateAll()),
        },
      },
      isInSequence: true,
      columns: ({ alone }) => [
        ['en tout', ({ ms }) => seconds(ms)],
        ['par site', ({ ms }) => milliseconds(ms / sites.length)],
        ['rapport', ratioTo(alone, ({ ms }) => ms)],
        ['processeur par site', ({ cpuMs }) => milliseconds(cpuMs / sites.length)],
        ['rapport', ratioTo(alone, ({ cpuMs }) => cpuMs)],
      ],
      lines: ({ alone, vigie }) => [
        fr`${number(owner.succeeded)} sur ${sites.length} réussies`,
        aim(fr`rapport`, vigie.ms / alone.ms, '≤', 4),
      ],
      note: legend,
    }),
  ];
};

const legend = fr`
  De vrais sites WordPress sous MariaDB sur un serveur. WordPress seul : un PHP par site, autant à la fois que de cœurs,
  offres connues, sans rien autour. Vigie, par toute la chaîne : pages vues avant et après, copie de côté, mise à jour par
  le même upgrader, journaux lus, second regard 3,5 s plus tard et redémarrage de WordPress dans un processus neuf.
  Chaque site attend ses 3,5 s sans rien occuper : d’un site à l’autre ces attentes se recouvrent. Processeur : de toute la
  machine, base de données et PHP des visites compris.`;

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
async function measureUsage(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const busy = busyMs();
  const { ms } = await timed(work);
  return { ms, cpuMs: busyMs() - busy };
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
  /** Updates that the last batch counts as succeeded. */
  succeeded = 0;

  private constructor(
    private readonly send: ReturnType<typeof requestAs>,
    private readonly ids: readonly string[] = [],
  ) {}

  static async create(bench: Workbench, fleet: Fleet): Promise<Owner> {
    const quiet = ['HEALTH', 'SCAN', 'VISIT', 'INSPECT'].map((name) => [`VIGIE_${name}_SECONDS`, '0']);
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url, ...Object.fromEntries(quiet) };
    const { product } = await setStage(bench, env);
    const owner = new Owner(requestAs(product.address, await logIn(product.address)));
    const auth = { privateKeyPem: fleet.host.privateKey };
    const form = { name: 'parc', host: '127.0.0.1', port: fleet.host.port, user: 'deploy', auth };
    const server = await owner.request('POST', 'servers', form);
    const items = fleet.sites.map(({ path, name, url }) => ({ path, name, url }));
    const imported = await owner.request('POST', 'sites/import', { server_id: server['id'], items });
    return new Owner(
      owner.send,
      (imported['items'] as Json[]).map(({ id }) => String(id)),
    );
  }

  async refreshAll(): Promise<void> {
    for (const id of this.ids) await this.request('GET', `sites/${id}/inventory?fresh=1`);
  }

  async updateAll(): Promise<void> {
    const targets = this.ids.map((id) => ({ site_id: id, kind: 'plugin', slug }));
    const { job_id: id } = await this.request('POST', 'updates', { targets });
    for (;;) {
      const { state, counts } = await this.request('GET', `jobs/${String(id)}`);
      if (state !== 'queued' && state !== 'running') {
        this.succeeded = Number((counts as Json)['succeeded']);
        return;
      }
      await wait(100);
    }
  }

  private async request(method: string, path: string, body?: object): Promise<Json> {
    return JSON.parse(await this.send(method, path, body)) as Json;
  }
}
