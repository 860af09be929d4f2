import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { deploy } from '@vigie/testing/fleet/machine';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { inspectProgram } from '@vigie/wordpress/inspect';
import { busyMs } from '../proc';
import { root, searchPath } from '../start/env';
import { fr } from '../terminal';
import { openAnsible, type Play } from './ansible';
import { runMeasured, type RivalUsage } from './rival-commands';
import { measure, type Part } from './measure';
import { ask } from './programs';
import { aim, milliseconds, number, ratioOf, times } from './report';
import type { BenchSite, SitesResult, SitesTask } from './sites-client';
import { ensureSshPrograms, opensshOptions, startLibrary } from './ssh-stage';
import { median, medians } from './statistics';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

/** Sites whose WordPress is started, and sites that are only read: so many are on one server of an agency. */
const counts = { inspected: 50, scanned: 100 };
const quickCounts = { inspected: 5, scanned: 10 };
const rounds = 3;
/** Number of sites of one server that the product reads at once. */
const atOnce = 4;
/** With more connections at once, sshd drops some of them. */
const xargsAtOnce = 5;

const rivalScript = (name: string) => join(root, 'tools/bench/rivals', name);

const legend = fr`
  De vrais sites WordPress sous MariaDB, derrière un sshd privé à ses réglages par défaut. Vigie : libs/wordpress sur une
  connexion ouverte, 50 sites interrogés 4 à la fois, 100 lus en une fois. Les rivaux posent les mêmes
  questions (version, mise à jour du cœur, extensions, thèmes) par un démarrage de WordPress chacune, comme le fait la
  ligne de commande, puis, à armes égales, par le programme de Vigie. Personne n’interroge WordPress.org. Ansible :
  25 forks, pipelining, ControlPersist, connexions ouvertes à la première passe. Médiane de passes alternées ; les sites et
  ceux qui les interrogent se partagent les mêmes cœurs.`;

/** Measures how libs/wordpress, Ansible and ssh read and query real sites on one server. */
export const sites: Part = async (bench, isQuick) => {
  await ensureSshPrograms(bench);
  const { inspected, scanned } = isQuick ? quickCounts : counts;
  const fleet = await startSites(bench, scanned);
  const benchSites = fleet.sites.map(({ path, url }) => ({ path, url }));
  return [
    measure({
      title: fr`Les sites WordPress d’un serveur`,
      contenders: await openContenders(bench, fleet, {
        inspected: benchSites.slice(0, inspected),
        scanned: benchSites,
      }),
      rounds: isQuick ? 1 : rounds,
      summarize: (passes) => {
        const { ms, clientMs, hostMs } = medians(passes);
        return { perSecond: 1000 / ms, clientMs, hostMs };
      },
      columns: ({ inspect, scan }) => [
        ['sites', ({ perSecond }) => `${number(perSecond, 1)} /s`],
        ['processeur ici', ({ clientMs }) => milliseconds(clientMs)],
        ['là-bas', ({ hostMs }) => milliseconds(hostMs)],
        ['Vigie interroge', ratioOf(inspect, ({ perSecond }) => perSecond)],
        ['Vigie lit', ratioOf(scan, ({ perSecond }) => perSecond)],
      ],
      lines: ({ inspect, scan, ansibleBoots, boot }) => {
        const allowed = (availableParallelism() * 1000) / boot.clientMs;
        return [
          aim(
            fr`interroger, contre Ansible et ses démarrages`,
            inspect.perSecond / ansibleBoots.perSecond,
            '≥',
            6,
            times,
          ),
          aim(fr`en lire 100, contre le même`, scan.perSecond / ansibleBoots.perSecond, '≥', 400, times),
          fr`un démarrage seul coûte ${milliseconds(boot.clientMs)} de processeur : ${number(allowed, 1)} sites par seconde au plus ici`,
          aim(fr`interroger, contre ce plus`, inspect.perSecond / allowed, '≥', 0.9),
        ];
      },
      note: legend,
    }),
  ];
};

/** One pass over the sites, for each of them: its time, and the processor time of the client and of the hosts. */
type Pass = { ms: number; clientMs: number; hostMs: number };
type BenchSites = { inspected: readonly BenchSite[]; scanned: readonly BenchSite[] };

/** All ask the same sites; only the product reads without asking. */
async function openContenders(bench: Workbench, fleet: Fleet, { inspected, scanned }: BenchSites) {
  const { port, privateKey, hostKey } = fleet.host;
  const host = { host: '127.0.0.1', port, user: deploy.name, auth: { privateKey }, hostKey };
  const client = await startLibrary(bench, 'sites-client', host);
  const runTask = async (task: SitesTask): Promise<SitesResult> => {
    const result = await ask<SitesResult>(client, task);
    if (result.readCount !== task.sites.length)
      throw new Error(`${result.readCount} of ${task.sites.length} were read`);
    return result;
  };
  const payload = programPath(bench);
  writeFileSync(payload, inspectProgram, { mode: 0o644 });
  const plays = {
    boots: {
      module: 'shell',
      command: `sh ${rivalScript('boots.sh')} ${rivalScript('boot.php')} "{{ site }}"`,
    },
    same: { module: 'raw', command: `sh ${payload} php "{{ given }}" 60 "{{ site }}"` },
  } as const satisfies Record<string, Play>;
  const hosts = inspected.map((site) => ({
    port,
    privateKey,
    user: deploy.name,
    variables: { site: site.path, given: encodeInput(site) },
  }));
  const ansible = await openAnsible(bench, hosts, plays);
  const ssh = ['ssh', ...opensshOptions(bench, fleet.host)(port), `${deploy.name}@127.0.0.1`];
  const contender = (name: string, run: () => Promise<RivalUsage>, of = inspected) => ({
    name,
    run: () => passOf(run, of.length),
  });
  const boots = (site: BenchSite) => `sh ${rivalScript('boots.sh')} ${rivalScript('boot.php')} ${site.path}`;
  const same = (site: BenchSite) => `sh ${payload} php ${encodeInput(site)} 60 ${site.path} >/dev/null; echo ok`;
  return {
    inspect: contender(fr`Vigie, WordPress interrogé`, () => runTask({ kind: 'inspect', sites: inspected, atOnce })),
    scan: contender(fr`Vigie, fichiers et tables lus`, () => runTask({ kind: 'scan', sites: scanned }), scanned),
    ansibleBoots: contender(fr`Ansible, quatre démarrages par site`, () => ansible.run('boots')),
    xargsBoots: contender(fr`xargs -P5 ssh, quatre démarrages`, () => runXargs(ssh, inspected.map(boots))),
    ansibleSame: contender(fr`Ansible, le programme de Vigie`, () => ansible.run('same')),
    xargsSame: contender(fr`xargs -P5 ssh, le programme de Vigie`, () => runXargs(ssh, inspected.map(same))),
    boot: { name: fr`un démarrage seul`, rounds: 1, isHidden: true, run: () => bootAlone(bench, inspected) },
  };
}

async function passOf(run: () => Promise<RivalUsage>, count: number): Promise<Pass> {
  const before = busyMs();
  const { ms, cpuMs } = await run();
  return { ms: ms / count, clientMs: cpuMs / count, hostMs: (busyMs() - before - cpuMs) / count };
}

const programPath = (bench: Workbench) => join(bench.folder, 'inspect.sh');

const encodeInput = ({ path, url }: BenchSite) =>
  Buffer.from(JSON.stringify({ path, url, skip: false, refresh: false, api: null, word: 'x'.repeat(32) })).toString(
    'base64',
  );

async function runXargs(ssh: readonly string[], commands: readonly string[]): Promise<RivalUsage> {
  const input = `${commands.map((command) => `'${command}'`).join('\n')}\n`;
  const args = [`-P${xargsAtOnce}`, '-I{}', ...ssh, '{}'];
  const { output, ...usage } = await runMeasured(['xargs', ...args], { input, env: { PATH: searchPath() } });
  const answered = output.match(/^ok\b/gm)?.length ?? 0;
  if (answered !== commands.length) throw new Error(`${answered} sites answered ssh:\n${output.slice(-2_000)}`);
  return usage;
}

/** Measures the processor time of a WordPress start alone. */
async function bootAlone(bench: Workbench, inspected: readonly BenchSite[]): Promise<Pass> {
  const { uid, gid } = deploy;
  const cpuTimes: number[] = [];
  for (const site of inspected.slice(0, 10)) {
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const command = [...as, 'sh', programPath(bench), 'php', encodeInput(site), '60', site.path];
    cpuTimes.push((await runMeasured(command, { cwd: '/', env: { PATH: searchPath() } })).cpuMs);
  }
  return { ms: 0, hostMs: 0, clientMs: median(cpuTimes) };
}
