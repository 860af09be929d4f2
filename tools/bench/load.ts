import { once } from 'node:events';
import { setPriority } from 'node:os';
import { Random } from '../chaos/random';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { auditJobs, endsOf } from './load-audit';
import { countCosts } from './load-costs';
import {
  faultsOf,
  type Fired,
  isShed,
  judgeStep,
  maxHeld,
  nextRate,
  recoveryOf,
  refusedOf,
  type Volley,
} from './load-judge';
import { inTurn, isRead, plan, type Shot } from './load-plan';
import { type Measured, reportLoad, type Round, type Spell } from './load-report';
import { costsBetween } from './load-shares';
import { apps, type LoadStage, setLoadStage } from './load-stage';
import type { ConsolesAsked, ConsolesTold } from './load-told';
import { type Started, startProgram } from './programs';
import { quantile } from './statistics';
import type { Workbench } from './workbench';

const seedOfAll = 20_261_122;
const [typing, printing] = [5, 3];
const overload = 2.5;
const drainMs = 180_000;
const paces = {
  quick: { first: 20, factor: 2.5, most: 4, seconds: 3, warmUp: 2, calm: 4, overload: 5 },
  usual: { first: 20, factor: 1.5, most: 10, seconds: 10, warmUp: 8, calm: 10, overload: 12 },
};

/** Reads, consoles and work on hosts at once, more and more of it, with one of each process and with two. */
export async function benchLoad(bench: Workbench, isQuick: boolean): Promise<void> {
  const stage = await setLoadStage(bench, isQuick);
  const generator = await startProgram(bench, 'load-generator', {});
  const isHastened = hasten(generator);
  const random = new Random(seedOfAll);
  const load = new Load(bench, stage, generator, random, paces[isQuick ? 'quick' : 'usual']);
  const rounds: Round[] = [];
  for (const replicas of [1, 2]) {
    if (replicas > 1) for (const app of apps) await stage.product.add(app);
    stage.crowd.gateways = replicas;
    rounds.push(await load.run(replicas));
  }
  const { accepted, unsure } = load;
  const jobs = { accepted: accepted.length, findings: await auditJobs(stage, accepted, unsure) };
  reportLoad({ rounds, jobs, sizes: stage.sizes, consoles: { typing, printing }, isHastened });
  await stage.client.end();
  await stage.product.stop();
  await Promise.all(stage.hosts.map(({ sshd }) => sshd.stop()));
}

/** So that it is not the generator that waits for a processor; only root may. */
function hasten({ running }: Started): boolean {
  try {
    setPriority(running.process.pid ?? 0, -10);
    return true;
  } catch {
    return false;
  }
}

const askProgram = async <T>({ running }: Started, message: object | string): Promise<T> => {
  running.process.send(message);
  const [answer] = await Promise.race([
    once(running.process, 'message'),
    running.exited.then(() => Promise.reject(new Error(`${running.program.name} ended`))),
  ]);
  return answer as T;
};

/** What is asked, in rounds with as many replicas as there are. */
class Load {
  /** Ids of work. */
  readonly accepted: string[] = [];
  /** Orders that were not answered with one. */
  unsure = 0;

  constructor(
    private readonly bench: Workbench,
    private readonly stage: LoadStage,
    private readonly generator: Started,
    private readonly random: Random,
    private readonly pace: (typeof paces)['usual'],
  ) {}

  async run(replicas: number): Promise<Round> {
    const { pace, random, stage } = this;
    const title = fr`exemplaires de chaque processus : ${replicas}`;
    this.bench.step(fr`${title}, met en température`);
    const consoles = await this.openConsoles();
    await this.fire(plan(stage.crowd, random, { rate: pace.first * 2, seconds: pace.warmUp }));
    const measured: Measured[] = [];
    for (;;) {
      const rate = nextRate(
        measured.map(({ step }) => step),
        pace,
      );
      if (rate === undefined) break;
      this.bench.step(fr`${title}, palier ${measured.length + 1}, ${Math.round(rate)} demandes par seconde`);
      measured.push(await this.measure(consoles, rate));
    }
    this.bench.step(fr`${title}, bien trop d’un coup, puis le calme`);
    await this.drain();
    const spell = await this.overload(measured);
    const told = await askProgram<ConsolesTold>(consoles, 'end');
    await this.drain();
    await consoles.stop();
    const held = maxHeldOf(measured);
    return { replicas, measured, held, spell, consoles: told, ends: await endsOf(stage.client, held?.fired) };
  }

  private async openConsoles(): Promise<Started> {
    // One may have ten: those of the round before must be over.
    await this.isNone('select from sites.consoles where ended_at is null limit 1');
    const { product, hosts, token } = this.stage;
    const asked: ConsolesAsked = {
      gateways: product.gateways,
      server: hosts[0]?.serverId ?? '',
      token,
      typing,
      printing,
    };
    const started = await startProgram(this.bench, 'load-consoles', { VIGIE_BENCH_CONSOLES: JSON.stringify(asked) });
    hasten(started);
    return started;
  }

  private async measure(consoles: Started, rate: number): Promise<Measured> {
    const { pace, random, stage } = this;
    const { product, client } = stage;
    const size = { rate, seconds: pace.seconds };
    const pids = this.pids(consoles);
    await askProgram<ConsolesTold>(consoles, 'since');
    const before = await countCosts({ product, client, pids });
    const fired = await this.fire(plan(stage.crowd, random, size));
    const after = await countCosts({ product, client, pids });
    const { times } = await askProgram<ConsolesTold>(consoles, 'since');
    return {
      step: judgeStep(fired, size),
      fired,
      echo: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
      costs: costsBetween(before, after),
      faults: faultsOf(fired.answers),
    };
  }

  /** Calm, then far too much, then as calm as before. */
  private async overload(measured: readonly Measured[]): Promise<Spell> {
    const { pace, random, stage } = this;
    const held = maxHeldOf(measured)?.step.rate ?? pace.first / 2;
    const last = Math.max(...measured.map(({ step }) => step.rate));
    const [calm, far] = [held / 2, last * overload];
    const part = (rate: number, seconds: number) => ({ shots: plan(stage.crowd, random, { rate, seconds }), seconds });
    const parts = [part(calm, pace.calm), part(far, pace.overload), part(calm, pace.calm * 2)];
    const { answers } = await this.fire(inTurn(parts));
    const from = pace.calm * 1_000;
    const overAt = from + pace.overload * 1_000;
    const meant = answers.filter(({ due }) => due >= from && due < overAt);
    return {
      rate: far,
      seconds: pace.overload,
      sent: meant.length,
      shed: meant.filter(isShed).length,
      refused: refusedOf(meant),
      served: meant.filter(({ kind, status }) => isRead(kind) && status === 200).length,
      faults: faultsOf(answers),
      recovery: recoveryOf(answers, { from, overAt, until: overAt + pace.calm * 2_000 }),
    };
  }

  private async fire(shots: readonly Shot[]): Promise<Fired> {
    this.bench.signal.throwIfAborted();
    const { product, crowd } = this.stage;
    const people = crowd.readers.map(({ headers }) => headers);
    const volley: Volley = { shots, gateways: product.gateways, people };
    const fired = await askProgram<Fired>(this.generator, volley);
    const ordered = fired.answers.filter(({ kind }) => !isRead(kind));
    this.accepted.push(...ordered.flatMap(({ id }) => id ?? []));
    // Whoever was told to come back, or nothing at all, does not know what came of it.
    this.unsure += ordered.filter(({ id }) => id === undefined).length;
    return fired;
  }

  /** Until nothing waits or runs: what a load leaves must not weigh on what comes next. What never ends, the audit says. */
  private async drain(): Promise<void> {
    await this.isNone("select from sites.jobs where state in ('queued', 'running') limit 1");
  }

  private isNone(sql: string): Promise<boolean> {
    const { client } = this.stage;
    const isSo = async () => (await client.query(sql)).rowCount === 0;
    return waitFor(isSo, { timeoutMs: drainMs, everyMs: 100, signal: this.bench.signal });
  }

  private pids(consoles: Started): Map<string, number> {
    const { stage, generator } = this;
    const hosts = stage.hosts.map(({ sshd }, n) => [`hôtes SSH ${n + 1}`, sshd.processes()[0] ?? 0] as const);
    const own = [generator, consoles].map(
      ({ running }, n) => [`générateur ${n + 1}`, running.process.pid ?? 0] as const,
    );
    return new Map([...stage.pids(), ...hosts, ...own, ['générateur 3', process.pid]]);
  }
}

const maxHeldOf = (measured: readonly Measured[]): Measured | undefined => {
  const held = maxHeld(measured.map(({ step }) => step));
  return measured.find(({ step }) => step === held);
};
