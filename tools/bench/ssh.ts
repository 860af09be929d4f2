import { fr } from '../terminal';
import { type Commands, type Fleet, reportCommands, reportFleet, reportTransfers } from './ssh-report';
import { repeatCommand, runXargs } from './ssh-rivals';
import { type Stage, login, openMaster, setSshStage } from './ssh-stage';
import { LibraryClient } from './library-client';
import type { TaskResult, Task } from './ssh-tasks';
import { measureTransfers } from './ssh-transfers';
import { median, quantile, sum } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const hosts = 200;

/** Compares libs/ssh with the OpenSSH client on one sshd. */
export async function benchSsh(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = { near: (isQuick ? 64 : 1024) * mebibyte, far: (isQuick ? 32 : 100) * mebibyte };
  // Space for the file and one copy.
  const stage = await setSshStage(bench, 2 * sizes.near);
  reportCommands(await measureCommands(bench, stage, isQuick ? 5 : 15));
  reportFleet(hosts, await measureFleet(bench, stage, isQuick ? 1 : 3));
  reportTransfers(await measureTransfers(bench, stage, { sizes, rounds: isQuick ? 2 : 3 }));
  await stage.sshd.stop();
}

async function measureCommands(bench: Workbench, stage: Stage, rounds: number): Promise<Commands> {
  const own = await LibraryClient.start<Task, TaskResult>(bench, 'ssh-client', stage.host);
  const options = stage.options(stage.sshd.port);
  const master = await openMaster(bench, stage);
  const warm = (count: number) => [
    () => own.run({ kind: 'warm', count }),
    () => repeatCommand(count, ['ssh', ...master, ...options, login, 'true']),
  ];
  const cold = (count: number) => [
    () => own.run({ kind: 'cold', count }),
    () => repeatCommand(count, ['ssh', ...options, login, 'true']),
  ];
  bench.step(fr`met en température`);
  // Vigie runs for weeks, so that its code is compiled. An `ssh` process always starts cold.
  for (const run of [...warm(30), ...cold(5)]) await run();
  bench.step(fr`commandes sur une connexion ouverte`);
  const [ownWarm = [], rivalWarm = []] = await alternate(bench, rounds, warm(30));
  bench.step(fr`connexions`);
  const [ownCold = [], rivalCold = []] = await alternate(bench, rounds, cold(10));
  await own.stop();
  return {
    warm: { own: summarizeTimes(ownWarm), rival: summarizeTimes(rivalWarm) },
    cold: { own: summarizeTimes(ownCold), rival: summarizeTimes(rivalCold) },
    cpuMs: { own: cpuPerConnection(ownCold), rival: cpuPerConnection(rivalCold) },
  };
}

type Run = Pick<TaskResult, 'times' | 'cpuMs'>;

/** Runs the contenders alternately. */
async function alternate(bench: Workbench, rounds: number, runs: readonly (() => Promise<Run>)[]): Promise<Run[][]> {
  const results: Run[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) {
      bench.signal.throwIfAborted();
      results[index]?.push(await run());
    }
  }
  return results;
}

function summarizeTimes(runs: readonly Run[]): { p50: number; p99: number } {
  const times = runs.flatMap((run) => run.times);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

const cpuPerConnection = (runs: readonly Run[]) => median(runs.map(({ cpuMs, times }) => cpuMs / times.length));

async function measureFleet(bench: Workbench, { sshd, host, options }: Stage, rounds: number): Promise<Fleet> {
  const results: { own: TaskResult; rival: { ms: number; failures: number }; drops: number; rivalDrops: number }[] = [];
  const countDrops = () => sshd.log.match(/drop connection #/g)?.length ?? 0;
  for (let round = 0; round < rounds; round++) {
    bench.signal.throwIfAborted();
    bench.step(fr`${hosts} hôtes d’un coup, tour ${round + 1} sur ${rounds}`);
    // A few connections compile the code. Nothing else is warm.
    const client = await LibraryClient.start<Task, TaskResult>(bench, 'ssh-client', host);
    await client.run({ kind: 'cold', count: 3 });
    const before = countDrops();
    const own = await client.run({ kind: 'fleet', hosts });
    const between = countDrops();
    await client.stop();
    const rival = await runXargs(hosts, ['ssh', ...options(sshd.port), login]);
    results.push({ own, rival, drops: between - before, rivalDrops: countDrops() - between });
  }
  return {
    own: {
      ms: median(results.map(({ own }) => own.times[0] ?? Number.NaN)),
      failures: results.flatMap(({ own }) => own.failures),
      drops: sum(results.map((result) => result.drops)),
    },
    rival: {
      ms: median(results.map(({ rival }) => rival.ms)),
      failures: sum(results.map(({ rival }) => rival.failures)),
      drops: sum(results.map(({ rivalDrops }) => rivalDrops)),
    },
    rounds,
  };
}
