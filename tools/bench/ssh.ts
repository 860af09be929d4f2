import { fr, seconds } from '../terminal';
import { measure, type Measure, type Part } from './measure';
import { ask } from './programs';
import { aim, milliseconds, number, percentileColumns, ratioTo } from './report';
import { repeatCommand, runXargs } from './rival-commands';
import { login, openMaster, setSshStage, type Stage, startLibrary } from './ssh-stage';
import type { Task, TaskResult } from './ssh-client';
import { transfers } from './ssh-transfers';
import { median, percentiles, sum } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const hosts = 200;

const commandsLegend = fr`
  Un sshd privé, aux réglages par défaut, sur la même machine ; clé Ed25519, curve25519-sha256 et aes128-gcm des deux
  côtés ; rondes alternées. Vigie : un processus qui dure, code déjà compilé, où libs/ssh exécute « true ».
  Connexion ouverte : par le pool, contre un processus ssh par commande sur la connexion partagée d’un ControlMaster.
  Nouvelle connexion : connexion, « true » et fermeture, contre un processus ssh entier, sans partage.
  Processeur : utilisateur et système. Vigie : tous ses fils d’exécution ; ssh : ses processus, du fork à la fin.`;

/** Compares libs/ssh with the OpenSSH client on one sshd. */
export const ssh: Part = async (bench, isQuick) => {
  const sizes = { near: (isQuick ? 64 : 1024) * mebibyte, far: (isQuick ? 32 : 100) * mebibyte };
  // Space for the files and one copy.
  const stage = await setSshStage(bench, 2 * sizes.near + sizes.far);
  return [
    ...(await commands(bench, stage, isQuick ? 5 : 15)),
    atOnce(bench, stage, isQuick ? 1 : 3),
    ...(await transfers(bench, stage, { sizes, rounds: isQuick ? 2 : 3 })),
  ];
};

type Run = Pick<TaskResult, 'times' | 'cpuMs'>;

const summarizeRuns = (runs: readonly Run[]) => ({
  ...percentiles(runs.flatMap((run) => run.times)),
  cpuMs: median(runs.map(({ cpuMs, times }) => cpuMs / times.length)),
});

/** Vigie runs for weeks, so that its code is compiled. An `ssh` process always starts cold. */
async function commands(bench: Workbench, stage: Stage, rounds: number): Promise<Measure[]> {
  const own = await startLibrary(bench, 'ssh-client', stage.host);
  const options = stage.options(stage.sshd.port);
  const master = await openMaster(bench, stage);
  const race = (kind: 'warm' | 'cold', counts: { warmUp: number; run: number }, sshOptions: readonly string[]) => {
    const runOwn = (count: number) => ask<TaskResult>(own, { kind, count } satisfies Task);
    const runRival = (count: number) => repeatCommand(count, ['ssh', ...sshOptions, login, 'true']);
    const contender = (name: string, run: (count: number) => Promise<Run>) => ({
      name,
      prepare: () => run(counts.warmUp),
      run: () => run(counts.run),
    });
    return { vigie: contender('Vigie', runOwn), ssh: contender('ssh', runRival) };
  };
  return [
    measure({
      title: fr`SSH : « true » sur une connexion ouverte`,
      contenders: race('warm', { warmUp: 30, run: 30 }, [...master, ...options]),
      rounds,
      summarize: summarizeRuns,
      columns: ({ ssh: rival }) => percentileColumns(rival, precise),
      lines: ({ vigie, ssh: rival }) => [
        aim(fr`rapport des p50`, vigie.p50 / rival.p50, '≤', 0.5),
        aim('p99', vigie.p99, '≤', 10, precise),
      ],
    }),
    measure({
      title: fr`SSH : nouvelle connexion et « true »`,
      contenders: race('cold', { warmUp: 5, run: 10 }, options),
      rounds,
      summarize: summarizeRuns,
      columns: ({ ssh: rival }) => [
        ...percentileColumns(rival, precise),
        ['processeur', ({ cpuMs }) => precise(cpuMs)],
        ['rapport', ratioTo(rival, ({ cpuMs }) => cpuMs)],
      ],
      lines: ({ vigie, ssh: rival }) => [
        aim(fr`rapport des p50`, vigie.p50 / rival.p50, '≤', 0.5),
        aim(fr`rapport des processeurs`, vigie.cpuMs / rival.cpuMs, '≤', 0.6),
      ],
      note: commandsLegend,
    }),
  ];
}

const precise = (value: number) => (value < 20 ? `${number(value, 1)}\u00a0ms` : milliseconds(value));

type FleetRun = { ms: number; errors: readonly string[]; failures: number; drops: number };

function atOnce(bench: Workbench, { sshd, host, options }: Stage, rounds: number): Measure {
  const countDrops = () => sshd.log.match(/drop connection #/g)?.length ?? 0;
  const countingDrops: CountDrops = async (work) => {
    const before = countDrops();
    return { errors: [], ...(await work()), drops: countDrops() - before };
  };
  const rival = () => runXargs(hosts, ['ssh', ...options(sshd.port), login]);
  return measure({
    title: fr`SSH : ${hosts} hôtes d’un coup`,
    contenders: {
      vigie: { name: 'Vigie', run: () => connectToAll(bench, host, countingDrops) },
      xargs: { name: 'xargs -P8 ssh', run: () => countingDrops(rival) },
    },
    rounds,
    summarize: (runs) => ({
      ms: median(runs.map(({ ms }) => ms)),
      failures: sum(runs.map(({ failures }) => failures)),
      drops: sum(runs.map(({ drops }) => drops)),
    }),
    columns: ({ xargs }) => [
      ['temps', ({ ms }) => seconds(ms)],
      ['rapport', ratioTo(xargs, ({ ms }) => ms)],
      ['échecs visibles', ({ failures }) => number(failures)],
      ['connexions coupées par sshd', ({ drops }) => number(drops)],
    ],
    lines: ({ vigie }) => [
      aim(fr`échecs visibles`, vigie.failures, '≤', 0, number),
      ...new Set(vigie.samples.flatMap(({ errors }) => errors)),
    ],
    note: fr`
  ${hosts} clés d’un SshPool à ses limites par défaut, toutes demandées au même instant, « true » sur chacune ; le sshd
  derrière est le même, à MaxStartups 10:30:100 et MaxSessions 10. Temps : médiane de ${rounds} rondes ; échecs et coupures :
  leur somme sur ${number(hosts * rounds)} essais. Une connexion que sshd coupe avant de dire son nom est reprise par le pool.`,
  });
}

type CountDrops = (work: () => Promise<Pick<FleetRun, 'ms' | 'failures'> & Partial<FleetRun>>) => Promise<FleetRun>;

async function connectToAll(bench: Workbench, host: Stage['host'], countingDrops: CountDrops): Promise<FleetRun> {
  // A few connections compile the code. Nothing else is warm.
  const client = await startLibrary(bench, 'ssh-client', host);
  await ask<TaskResult>(client, { kind: 'cold', count: 3 } satisfies Task);
  const run = await countingDrops(async () => {
    const { times, failures: errors } = await ask<TaskResult>(client, { kind: 'fleet', hosts } satisfies Task);
    return { ms: times[0] ?? Number.NaN, failures: errors.length, errors };
  });
  await client.stop();
  return run;
}
