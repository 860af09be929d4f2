import { Children } from './children';
import { failed, type Outcome, type Tally } from './results';

export type Step = {
  name: string;
  /** Without these it cannot run: a failed one fails it. */
  needs?: readonly string[];
  /** These come first when they are part of the run. */
  after?: readonly string[];
  /** Prepares others and is not a test: counts only when it fails. */
  isPreparation?: boolean;
  /** Starts many processes and looks at their times: nothing else runs beside it. */
  isAlone?: boolean;
  /** Computes, or waits, and looks at no times of others: it takes no slot, also beside one that is alone. */
  isPatient?: boolean;
  /** Whatever it starts by `children` ends with it, or when the run is interrupted. */
  run(children: Children): Promise<Outcome>;
};

export type Done = { name: string; outcome: Outcome; seconds: number; cpuSeconds: number; isPreparation: boolean };

/** The steps of the asked parts and all that these need. `types` also means `types-web`. */
export function choose(steps: readonly Step[], parts: readonly string[]): Step[] {
  if (parts.length === 0) return [...steps];
  const chosen = new Set<Step>();
  const add = (step: Step) => {
    chosen.add(step);
    for (const need of step.needs ?? []) for (const other of steps) if (other.name === need) add(other);
  };
  for (const step of steps) if (parts.some((part) => part === step.name || step.name.startsWith(`${part}-`))) add(step);
  return steps.filter((step) => chosen.has(step));
}

/** Runs at most `slots` tests at once, in their order; preparations take no slot: they wait more than they work. */
export async function runSteps(
  steps: readonly Step[],
  { slots, signal, onDone }: { slots: number; signal: AbortSignal; onDone: (done: Done) => void },
): Promise<Done[]> {
  const waiting = new Set(steps);
  const running = new Map<Step, Promise<void>>();
  const done = new Map<string, Done>();
  const isOver = (name: string) => done.has(name) || !steps.some((step) => step.name === name);

  const isLight = (step: Step) => step.isPreparation === true || step.isPatient === true;
  const weight = (step: Step) => (step.isAlone ? slots : isLight(step) ? 0 : 1);
  const taken = () => [...running.keys()].reduce((total, step) => total + weight(step), 0);

  const start = (step: Step) => {
    waiting.delete(step);
    const finish = (result: Done) => {
      done.set(step.name, result);
      running.delete(step);
      onDone(result);
    };
    running.set(step, perform(step, done, signal).then(finish));
  };

  while (waiting.size + running.size > 0) {
    for (const step of waiting) {
      const isFree = isLight(step) || taken() + weight(step) <= slots;
      const isReady = [...(step.needs ?? []), ...(step.after ?? [])].every(isOver);
      if (isReady && isFree) start(step);
    }
    if (running.size === 0) throw new Error(`Steps wait for each other: ${[...waiting].map((s) => s.name).join(', ')}`);
    await Promise.race(running.values());
  }
  return [...done.values()];
}

/** A preparation counts only when it fails. */
export const counted = ({ outcome: { tally }, isPreparation }: Done): Tally =>
  isPreparation ? { passed: 0, failed: tally.failed, skipped: 0 } : tally;

async function perform(step: Step, done: ReadonlyMap<string, Done>, signal: AbortSignal): Promise<Done> {
  const since = Date.now();
  const broken = (step.needs ?? []).filter((need) => (done.get(need)?.outcome.tally.failed ?? 0) > 0);
  const children = new Children();
  const stop = () => void children.stopAll();
  signal.addEventListener('abort', stop);
  const outcome = await attempt(step, { broken, children, signal });
  signal.removeEventListener('abort', stop);
  await children.stopAll();
  const seconds = (Date.now() - since) / 1000;
  return { name: step.name, outcome, seconds, cpuSeconds: children.cpu(), isPreparation: step.isPreparation === true };
}

type Attempt = { broken: readonly string[]; children: Children; signal: AbortSignal };

async function attempt(step: Step, { broken, children, signal }: Attempt): Promise<Outcome> {
  if (signal.aborted) return failed('Interrompu avant de commencer.');
  if (broken.length > 0) return failed(`Pas exécuté : ${broken.join(', ')} a échoué.`);
  try {
    const outcome = await step.run(children);
    return signal.aborted && outcome.tally.failed === 0 ? failed(`${outcome.output}\nInterrompu.`) : outcome;
  } catch (error) {
    return failed(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
