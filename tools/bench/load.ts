import { setPriority } from 'node:os';
import { countLine } from '../chaos/columns';
import { Random } from '../chaos/random';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { auditJobs, completionP99 } from './load-audit';
import { countCosts } from './load-costs';
import {
  countFaults,
  type LoadResult,
  isShed,
  judgeStep,
  maxHeld,
  nextRate,
  measureRecovery,
  countRefusals,
  type LoadBatch,
} from './load-judge';
import { concatenate, isRead, planRequests, type PlannedRequest } from './load-plan';
import { type Measured, type Overload, reportLoad, type Round } from './load-report';
import { costsBetween } from './load-shares';
import { apps, type LoadStage, setLoadStage } from './load-stage';
import type { ConsoleLoadOptions, ConsoleLoadResult } from './load-consoles';
import { measure, type Part } from './measure';
import { ask, type Started, startProgram } from './programs';
import { number } from './report';
import { percentiles } from './statistics';
import type { Workbench } from './workbench';

const randomSeed = 20_261_122;
const [typing, printing] = [5, 3];
const overloadFactor = 2.5;
const drainMs = 180_000;
const plans = {
  quick: { first: 20, factor: 2.5, maxSteps: 4, seconds: 3, warmUp: 2, calm: 4, overload: 5 },
  usual: { first: 20, factor: 1.5, maxSteps: 10, seconds: 10, warmUp: 8, calm: 10, overload: 12 },
};

/** Measures mixed load at increasing rates, with one and then two replicas of each process. */
export const load: Part = async (bench, isQuick) => {
  const stage = await setLoadStage(bench, isQuick);
  const generator = await startProgram(bench, 'load-generator', {});
  const hasPriority = raisePriority(generator);
  const generated = new Load(bench, stage, generator, plans[isQuick ? 'quick' : 'usual']);
  const addReplicas = async () => {
    for (const app of apps) await stage.product.add(app);
    stage.crowd.gateways = 2;
  };
  const { sites, servers } = stage.sizes;
  return [
    measure({
      title: fr`Charge mêlée sur ${sites} sites et ${servers} serveurs, ${typing} consoles où l’on tape, ${printing} qui défilent`,
      contenders: {
        single: { name: fr`un de chaque`, run: () => generated.run(fr`un de chaque`) },
        double: { name: fr`deux de chaque`, prepare: addReplicas, run: () => generated.run(fr`deux de chaque`) },
      },
      isInSequence: true,
      reports: ({ single, double }) => reportLoad([single, double], hasPriority),
    }),
    measure({
      title: fr`Ce que le registre et les hôtes disent des tâches acceptées`,
      contenders: { jobs: { name: fr`tâches`, run: async () => ({ findings: await auditJobs(stage, generated) }) } },
      columns: () => [
        [fr`acceptées`, () => number(generated.accepted.length)],
        [fr`écarts`, ({ findings }) => number(findings.length)],
      ],
      lines: ({ jobs: { findings } }) => [
        findings.length === 0 ? fr`aucune perdue, aucune doublée, aucune mal contée` : countLine(findings),
        ...findings.map(({ kind, id }) => fr`✗ ${kind} : ${id}`),
      ],
    }),
  ];
};

/** Gives the generator priority over the product. Only root may do that. */
function raisePriority({ running }: Started): boolean {
  try {
    setPriority(running.process.pid ?? 0, -10);
    return true;
  } catch {
    return false;
  }
}

class Load {
  /** Ids of accepted jobs. */
  readonly accepted: string[] = [];
  /** Number of orders without a job id in the answer. */
  unansweredCount = 0;
  private readonly random = new Random(randomSeed);

  constructor(
    private readonly bench: Workbench,
    private readonly stage: LoadStage,
    private readonly generator: Started,
    private readonly plan: (typeof plans)['usual'],
  ) {}

  async run(title: string): Promise<Round> {
    const { plan, random, stage } = this;
    this.bench.step(fr`${title}, met en température`);
    const consoles = await this.openConsoles();
    await this.send(planRequests(stage.crowd, random, { rate: plan.first * 2, seconds: plan.warmUp }));
    const measured: Measured[] = [];
    for (;;) {
      const rate = nextRate(
        measured.map(({ step }) => step),
        plan,
      );
      if (rate === undefined) break;
      this.bench.step(fr`${title}, palier ${measured.length + 1}, ${Math.round(rate)} demandes par seconde`);
      measured.push(await this.measure(consoles, rate));
    }
    this.bench.step(fr`${title}, bien trop d’un coup, puis le calme`);
    await this.drain();
    const overload = await this.overload(measured);
    const consoleResult = await ask<ConsoleLoadResult>(consoles, 'end');
    await this.drain();
    await consoles.stop();
    const held = findMaxHeld(measured);
    return {
      measured,
      held,
      overload,
      consoles: consoleResult,
      completionP99: await completionP99(stage.client, held?.result),
    };
  }

  private async openConsoles(): Promise<Started> {
    // A user may have ten consoles, so that those of the previous round must be closed.
    await this.waitUntilNone('select from sites.consoles where ended_at is null limit 1');
    const { product, hosts, token } = this.stage;
    const options: ConsoleLoadOptions = {
      gateways: product.gateways,
      serverId: hosts[0]?.serverId ?? '',
      token,
      typing,
      printing,
    };
    const started = await startProgram(this.bench, 'load-consoles', { VIGIE_BENCH_CONSOLES: JSON.stringify(options) });
    raisePriority(started);
    return started;
  }

  private async measure(consoles: Started, rate: number): Promise<Measured> {
    const { plan, random, stage } = this;
    const { product, client } = stage;
    const size = { rate, seconds: plan.seconds };
    const pids = this.pids(consoles);
    await ask<ConsoleLoadResult>(consoles, 'since');
    const before = await countCosts({ product, client, pids });
    const result = await this.send(planRequests(stage.crowd, random, size));
    const after = await countCosts({ product, client, pids });
    const { times } = await ask<ConsoleLoadResult>(consoles, 'since');
    return {
      step: judgeStep(result, size),
      result,
      echo: percentiles(times),
      costs: costsBetween(before, after),
      faults: countFaults(result.answers),
    };
  }

  /** Sends normal load, overload, and normal load again. */
  private async overload(measured: readonly Measured[]): Promise<Overload> {
    const { plan, random, stage } = this;
    const held = findMaxHeld(measured)?.step.rate ?? plan.first / 2;
    const last = Math.max(...measured.map(({ step }) => step.rate));
    const [normalRate, overloadRate] = [held / 2, last * overloadFactor];
    const part = (rate: number, seconds: number) => ({
      requests: planRequests(stage.crowd, random, { rate, seconds }),
      seconds,
    });
    const parts = [part(normalRate, plan.calm), part(overloadRate, plan.overload), part(normalRate, plan.calm * 2)];
    const { answers } = await this.send(concatenate(parts));
    const from = plan.calm * 1_000;
    const overAt = from + plan.overload * 1_000;
    const overloadAnswers = answers.filter(({ due }) => due >= from && due < overAt);
    return {
      rate: overloadRate,
      seconds: plan.overload,
      sent: overloadAnswers.length,
      shed: overloadAnswers.filter(isShed).length,
      refused: countRefusals(overloadAnswers),
      served: overloadAnswers.filter(({ kind, status }) => isRead(kind) && status === 200).length,
      faults: countFaults(answers),
      recovery: measureRecovery(answers, { from, overAt, until: overAt + plan.calm * 2_000 }),
    };
  }

  private async send(requests: readonly PlannedRequest[]): Promise<LoadResult> {
    this.bench.signal.throwIfAborted();
    const { product, crowd } = this.stage;
    const people = crowd.readers.map(({ headers }) => headers);
    const batch: LoadBatch = { requests, gateways: product.gateways, people };
    const result = await ask<LoadResult>(this.generator, batch);
    const orders = result.answers.filter(({ kind }) => !isRead(kind));
    this.accepted.push(...orders.flatMap(({ id }) => id ?? []));
    // A refused or unanswered order may still have created a job.
    this.unansweredCount += orders.filter(({ id }) => id === undefined).length;
    return result;
  }

  /**
   * Waits until no job waits or runs, so that the next step starts without load. The audit reports jobs that never
   * end.
   */
  private async drain(): Promise<void> {
    await this.waitUntilNone("select from sites.jobs where state in ('queued', 'running') limit 1");
  }

  private waitUntilNone(sql: string): Promise<boolean> {
    const { client } = this.stage;
    const isNone = async () => (await client.query(sql)).rowCount === 0;
    return waitFor(isNone, { timeoutMs: drainMs, everyMs: 100, signal: this.bench.signal });
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

const findMaxHeld = (measured: readonly Measured[]): Measured | undefined => {
  const held = maxHeld(measured.map(({ step }) => step));
  return measured.find(({ step }) => step === held);
};
