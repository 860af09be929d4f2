import { mkdir, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { run } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { versions } from '@vigie/testing/fleet/extensions';
import { mapPooled } from '@vigie/testing/map-pooled';
import { busyMs } from '../proc';
import { root } from '../start/env';
import { fr, seconds } from '../terminal';
import { measure, type Part, timed } from './measure';
import { aim, milliseconds, number, ratioTo } from './report';
import { ensureSshPrograms } from './ssh-stage';
import { SitesOwner, type UpdatedItem } from './sites-owner';
import { startSites } from './wordpress-stage';

const count = 50;
const quickCount = 6;
const slugs = { plugin: ['vitrine', 'formulaire', 'relais', 'boussole-pro'], theme: ['phare'] } as const;
type Item = UpdatedItem & { slug: (typeof slugs)['plugin' | 'theme'][number] };
const allItems: readonly Item[] = [
  ...slugs.plugin.map((slug) => ({ kind: 'plugin', slug }) as const),
  ...slugs.theme.map((slug) => ({ kind: 'theme', slug }) as const),
];

/** Measures updates on many sites, by the product and by the upgraders of WordPress alone. */
export const updates: Part = async (bench, isQuick) => {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, isQuick ? quickCount : count);
  const owner = await SitesOwner.create(bench, fleet);
  const copies = join(bench.folder, 'as-it-was');
  await mkdir(copies);
  for (const item of allItems) await run('cp', ['-a', folderOf(fleet.site('plain'), item), join(copies, item.slug)]);
  const stage = { fleet, owner, copies };
  let oneAloneMs = 0;
  return [
    measureUpdates(stage, allItems.slice(0, 1), {
      title: fr`Une extension de ${fleet.sites.length} sites mise à jour`,
      aimOf: (alone, vigie) => {
        oneAloneMs = alone.ms;
        return aim(fr`rapport`, vigie.ms / alone.ms, '≤', 4);
      },
    }),
    measureUpdates(stage, allItems, {
      title: fr`${allItems.length} extensions et thèmes de ${fleet.sites.length} sites mis à jour`,
      aimOf: (_, vigie) =>
        aim(
          fr`par élément, en rapport à l’extension que WordPress seul met à jour ci-dessus`,
          vigie.ms / allItems.length / oneAloneMs,
          '≤',
          2,
        ),
    }),
  ];
};

type UpdateStage = { fleet: Fleet; owner: SitesOwner; copies: string };

function measureUpdates({ fleet, owner, copies }: UpdateStage, items: readonly Item[], { title, aimOf }: Question) {
  const { sites } = fleet;
  const runOnAll = (code: string) => mapPooled(sites, availableParallelism(), (site) => upgrade(fleet, site, code));
  const restoreAll = async () => {
    for (const site of sites) for (const item of items) await restoreVersion(copies, site, item);
    expectVersions(sites, items, 'installed');
  };
  const measureUpdate = async (work: () => Promise<unknown>) => {
    const usage = await measureUsage(work);
    expectVersions(sites, items, 'offered');
    return usage;
  };
  return measure({
    title,
    contenders: {
      alone: {
        name: fr`WordPress seul (bulk_upgrade)`,
        prepare: async () => {
          await restoreAll();
          await runOnAll('wp_update_plugins(); wp_update_themes(); return true;');
        },
        run: () => measureUpdate(() => runOnAll(bulkUpgrade(items))),
      },
      vigie: {
        name: fr`Vigie, de la demande à la fin`,
        prepare: async () => {
          await restoreAll();
          await owner.refreshAll();
          await mapPooled(sites, availableParallelism(), visit);
        },
        run: () => measureUpdate(() => owner.updateAll(items)),
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
      fr`${number(owner.succeeded)} sur ${sites.length * items.length} réussies`,
      aimOf(alone, vigie),
    ],
    note: legend,
  });
}

type Usage = { ms: number; cpuMs: number };
type Question = { title: string; aimOf: (alone: Usage, vigie: Usage) => string };

const legend = fr`
  De vrais sites WordPress sous MariaDB sur un serveur. WordPress seul : un PHP par site, autant à la fois que de cœurs,
  offres connues, sans rien autour. Vigie, par toute la chaîne : pages vues avant et après, copie de côté, mise à jour par
  le même upgrader, journaux lus, second regard 3,5 s plus tard et redémarrage de WordPress dans un processus neuf. Les pages ont eu une visite avant,
  et l’opcache du serveur contient tous les sites, comme là où il y a des visiteurs.
  Chaque site attend ses 3,5 s sans rien occuper : d’un site à l’autre ces attentes se recouvrent. Processeur : de toute la
  machine, base de données et PHP des visites compris.`;

const folderOf = (site: FleetSite, { kind, slug }: Item) => join(contentOf(site), `${kind}s`, slug);

async function restoreVersion(copies: string, site: FleetSite, item: Item): Promise<void> {
  await rm(folderOf(site, item), { recursive: true });
  await run('cp', ['-a', join(copies, item.slug), folderOf(site, item)]);
}

function expectVersions(sites: readonly FleetSite[], items: readonly Item[], state: 'installed' | 'offered'): void {
  for (const item of items) {
    const main = item.kind === 'theme' ? 'style.css' : `${item.slug}.php`;
    const outdated = sites.filter(
      (site) => !readFileSync(join(folderOf(site, item), main), 'utf8').includes(versions[item.slug][state]),
    );
    const names = outdated.map(({ name }) => name).join(', ');
    if (outdated.length > 0) throw new Error(`${names} have no ${item.slug} ${versions[item.slug][state]}`);
  }
}

/** As its visitors do, so that opcache has the code of the site. */
async function visit({ url }: FleetSite): Promise<void> {
  for (const page of [url, `${url}/wp-login.php`]) await (await fetch(page)).arrayBuffer();
}

/** Processor time is measured for the whole machine, because detached programs of a host have no parent process. */
async function measureUsage(work: () => Promise<unknown>): Promise<Usage> {
  const busy = busyMs();
  const { ms } = await timed(work);
  return { ms, cpuMs: busyMs() - busy };
}

const upgraders = readFileSync(join(root, 'tools/bench/rivals/upgraders.php'), 'utf8').replace('<?php', '');

function bulkUpgrade(items: readonly Item[]): string {
  const listOf = (kind: Item['kind'], toName: (slug: string) => string) =>
    items.flatMap((item) => (item.kind === kind ? `'${toName(item.slug)}'` : [])).join(',');
  return `
    $plugins = [${listOf('plugin', (slug) => `${slug}/${slug}.php`)}];
    $themes = [${listOf('theme', (slug) => slug)}];
    $done = (new Plugin_Upgrader(new Automatic_Upgrader_Skin()))->bulk_upgrade($plugins);
    $done += $themes === [] ? [] : (new Theme_Upgrader(new Automatic_Upgrader_Skin()))->bulk_upgrade($themes);
    return count(array_filter($done, 'is_array')) === ${items.length};`;
}

async function upgrade(fleet: Fleet, site: FleetSite, code: string): Promise<void> {
  const answer = await fleet.runPhp(site, `$org = '${fleet.wordpressOrg.url}';${upgraders}${code}`);
  if (answer !== true) throw new Error(`${site.name} was not updated: ${JSON.stringify(answer)}`);
}
