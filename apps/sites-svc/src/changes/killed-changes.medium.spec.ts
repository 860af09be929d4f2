import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { ChangeStage, leftoversOn, visitPage, versionOf } from '@vigie/testing/change-stage';
import { onFleet, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import type { Witness } from '@vigie/testing/fleet/witness';
import { until } from '@vigie/testing/until';

const seed = Math.floor(Math.random() * 2 ** 31);
const maxKills = 7;

let stage: ChangeStage;
let witnesses: Map<FleetSite, Witness>;

const withFleet = onFleet(describe);
if (!fleetUnavailableReason()) {
  beforeAll(async () => {
    stage = await ChangeStage.start({ copies: 2, agents: 2 });
    witnesses = new Map(stage.fleet.sites.map((site) => [site, stage.fleet.witness(site)]));
  });
  afterAll(() => stage?.stop());
}

/** Pseudo-random numbers that repeat for the same seed (mulberry32). */
let randomState = seed;
function random(): number {
  randomState = (randomState + 0x6d2b79f5) | 0;
  let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

async function killAgent(): Promise<void> {
  const { product } = stage;
  const agents = product.processes.filter(({ app }) => app === 'ssh-agent');
  const agent = agents[Math.floor(random() * agents.length)];
  if (!agent) throw new Error('there is no agent');
  product.processes.splice(product.processes.indexOf(agent), 1);
  await agent.process.kill('SIGKILL');
  await product.add('ssh-agent');
}

/** Kills one process on the host: a shell, PHP, or the keeper of an operation. */
function killOnHost(): boolean {
  const pids = stage.fleet.host.userProcesses();
  const pid = pids[Math.floor(random() * pids.length)];
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

const versions = { vitrine: { from: '1.2.0', to: '1.3.0' }, formulaire: { from: '2.0.1', to: '2.1.0' } } as const;
type Slug = keyof typeof versions | 'sonde';
const versionsOf = (slug: Slug) => (slug === 'sonde' ? { from: undefined, to: '1.4.0' } : versions[slug]);

const summaryOf = ({ state, item, error }: JobItem) =>
  `${state} ${item?.slug ?? 'sonde'} ${error ? `${error.code}: ${error.message}` : ''}`;

/** Returns what is wrong with the report of a change. */
function problemsOf(line: JobItem, site: FleetSite): string[] {
  const { item, state } = line;
  const slug = (item?.slug ?? 'sonde') as Slug;
  const there = versionOf(site, slug);
  const { from, to } = versionsOf(slug);
  const isDone = there === to;
  const isBack = there === from;
  if (state === 'succeeded' ? isDone : state === 'unknown' ? isDone || isBack : isBack) return [];
  return [`${site.name} ${summaryOf(line)}, there is ${there}`];
}

async function wasMadeAgain({ id }: JobItem): Promise<boolean> {
  const { text } = await stage.ask('GET', `/jobs/${id}`);
  return text.includes('chacune sera refaite seule');
}

withFleet('changes whose agents and processes are killed', () => {
  it(`begin once, end, and leave the state that they report (seed ${seed})`, async () => {
    const { fleet } = stage;
    const upload = await stage.upload('sonde', '1.4.0');
    const targets = fleet.sites.flatMap((site) => [
      stage.target(site, 'plugin.vitrine'),
      stage.target(site, 'plugin.formulaire'),
    ]);
    const batches = [
      await stage.startJob('/updates', { targets }),
      await stage.startJob(`/uploads/${upload}/install`, {
        site_ids: fleet.sites.map((site) => stage.idOf(site)),
        activate: true,
      }),
    ];
    const kills = { agents: 0, processes: 0 };
    while (kills.processes < maxKills) {
      await wait(150 + random() * 500);
      if (random() < 0.06 && kills.agents < 2) {
        await killAgent();
        kills.agents += 1;
      }
      if (killOnHost()) kills.processes += 1;
      const { body } = await stage.ask('GET', '/jobs?state=open');
      if ((body['items'] as unknown[]).length === 0) break;
    }
    const lines = (await Promise.all(batches.map((batch) => stage.batchJobs(batch)))).flat();
    // The number depends on the machine, but no kill at all would prove nothing.
    expect(kills.processes).toBeGreaterThan(2);

    const siteOf = (line: JobItem) => fleet.sites.find((site) => stage.idOf(site) === line.site_id) as FleetSite;
    expect(lines.flatMap((line) => problemsOf(line, siteOf(line)))).toEqual([]);
    for (const [site, witness] of witnesses) {
      const ofSite = lines.filter((line) => siteOf(line) === site);
      const own = ofSite.map(summaryOf);
      const done = witness.actions.filter(({ did }) => did === 'update' || did === 'install');
      const counts = Object.entries(countsOf(done.map(({ did, item }) => `${did} ${item}`)));
      // Updates that were rolled back together are made again, each alone.
      const most = (await Promise.all(ofSite.map(wasMadeAgain))).includes(true) ? 2 : 1;
      expect([own, counts.filter(([name, count]) => count > (name.startsWith('update') ? most : 1))]).toEqual([
        own,
        [],
      ]);
      const page = await visitPage(site);
      const unsure = own.filter((words) => words.startsWith('unknown'));
      // A rollback that is killed each time leaves files behind, and reports that.
      expect([own, unsure.filter((words) => !words.includes('a été interrompue 3 fois'))]).toEqual([own, []]);
      if (unsure.length > 0) continue;
      const locks = await fleet.query(
        site,
        "select option_name from wp_options where option_name like '%updater.lock'",
      );
      expect([own, page.code, leftoversOn(site), locks]).toEqual([own, 200, [], []]);
      expect(page.text).toContain(`<!-- vitrine ${versionOf(site, 'vitrine')} -->`);
    }
    const vigie = join(fleet.host.homeOf('deploy'), '.vigie');
    expect(filesOf(join(vigie, 'packages'))).toEqual([]);
    expect(filesOf(join(vigie, 'asides')).filter((file) => file.endsWith('.part'))).toEqual([]);
    await until(() => fleet.host.userProcesses().length === 0);
  });
});

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const filesOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
