import { fr } from '../terminal';
import { type Commands, type Fleet, reportCommands, reportFleet, reportTransfers } from './ssh-report';
import { repeatCommand, runXargs } from './ssh-rivals';
import { type Stage, login, openMaster, setSshStage } from './ssh-stage';
import { OwnClient } from './own-client';
import type { Done, Task } from './ssh-tasks';
import { measureTransfers } from './ssh-transfers';
import { median, quantile, sum } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const hosts = 200;

/** What libs/ssh costs beside the OpenSSH client, on one sshd that both use in turns. */
export async function benchSsh(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = { near: (isQuick ? 64 : 1024) * mebibyte, far: (isQuick ? 32 : 100) * mebibyte };
  // The file, and the copy of one side at a time.
  const stage = await setSshStage(bench, 2 * sizes.near);
  reportCommands(await measureCommands(bench, stage, isQuick ? 5 : 15));
  reportFleet(hosts, await measureFleet(bench, stage, isQuick ? 1 : 3));
  reportTransfers(await measureTransfers(bench, stage, { sizes, rounds: isQuick ? 2 : 3 }));
  await stage.sshd.stop();
}

async function measureCommands(bench: Workbench, stage: Stage, rounds: number): Promise<Commands> {
  const own = await OwnClient.start<Task, Done>(bench, 'ssh-client', stage.host);
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
  // Ours is a process that lives for weeks: its code is compiled. Theirs begins anew each time, as it does in use.
  for (const run of [...warm(30), ...cold(5)]) await run();
  bench.step(fr`commandes sur une connexion ouverte`);
  const [ownWarm = [], rivalWarm = []] = await inTurns(bench, rounds, warm(30));
  bench.step(fr`connexions`);
  const [ownCold = [], rivalCold = []] = await inTurns(bench, rounds, cold(10));
  await own.stop();
  return {
    warm: { own: timesOf(ownWarm), rival: timesOf(rivalWarm) },
    cold: { own: timesOf(ownCold), rival: timesOf(rivalCold) },
    cpuMs: { own: cpuOf(ownCold), rival: cpuOf(rivalCold) },
  };
}

type Run = Pick<Done, 'times' | 'cpuMs'>;

/** What each gave, round by round. */
async function inTurns(bench: Workbench, rounds: number, runs: readonly (() => Promise<Run>)[]): Promise<Run[][]> {
  const results: Run[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [place, run] of runs.entries()) {
      bench.signal.throwIfAborted();
      results[place]?.push(await run());
    }
  }
  return results;
}

function timesOf(runs: readonly Run[]): { p50: number; p99: number } {
  const times = runs.flatMap((run) => run.times);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Per connection. */
const cpuOf = (runs: readonly Run[]) => median(runs.map(({ cpuMs, times }) => cpuMs / times.length));

async function measureFleet(bench: Workbench, { sshd, host, options }: Stage, rounds: number): Promise<Fleet> {
  const results: { own: Done; rival: { ms: number; failures: number }; drops: number; rivalDrops: number }[] = [];
  const drops = () => sshd.log.match(/drop connection #/g)?.length ?? 0;
  for (let round = 0; round < rounds; round++) {
    bench.signal.throwIfAborted();
    bench.step(fr`${hosts} hôtes d’un coup, tour ${round + 1} sur ${rounds}`);
    // Its code is compiled by one round of a few; nothing else is warm.
    const client = await OwnClient.start<Task, Done>(bench, 'ssh-client', host);
    await client.run({ kind: 'cold', count: 3 });
    const before = drops();
    const own = await client.run({ kind: 'fleet', hosts });
    const between = drops();
    await client.stop();
    const rival = await runXargs(hosts, ['ssh', ...options(sshd.port), login]);
    results.push({ own, rival, drops: between - before, rivalDrops: drops() - between });
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
