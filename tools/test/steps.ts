import { Children } from './children';
import { failed, type Outcome, type Tally } from './results';

export type Step = {
  name: string;
  /** Steps without which this one cannot run: if one fails, this one fails too. */
  needs?: readonly string[];
  /** Steps that must run before this one if they are part of the run. */
  after?: readonly string[];
  /** A preparation counts only when it fails. */
  isPreparation?: boolean;
  /** An exclusive step depends on timing, so nothing that takes a slot runs beside it. */
  isExclusive?: boolean;
  /** A patient step has low priority and does not depend on timing: it takes no slot, even beside an exclusive one. */
  isPatient?: boolean;
  /** Processes of `children` are stopped at the end of the step, or when the run is interrupted. */
  run(children: Children): Promise<Outcome>;
};

export type StepResult = {
  name: string;
  outcome: Outcome;
  seconds: number;
  cpuSeconds: number;
  isPreparation: boolean;
};

/** Selects the requested parts and their needs. `types` also selects `types-web`. */
export function selectSteps(steps: readonly Step[], parts: readonly string[]): Step[] {
  if (parts.length === 0) return [...steps];
  const selected = new Set<Step>();
  const add = (step: Step) => {
    selected.add(step);
    for (const need of step.needs ?? []) for (const candidate of steps) if (candidate.name === need) add(candidate);
  };
  for (const step of steps) if (parts.some((part) => part === step.name || step.name.startsWith(`${part}-`))) add(step);
  return steps.filter((step) => selected.has(step));
}

/** Runs at most `slots` steps at once, in order. Preparations take no slot, because they mostly wait. */
export async function runSteps(
  steps: readonly Step[],
  { slots, signal, onDone }: { slots: number; signal: AbortSignal; onDone: (done: StepResult) => void },
): Promise<StepResult[]> {
  const waiting = new Set(steps);
  const running = new Map<Step, Promise<void>>();
  const done = new Map<string, StepResult>();
  const hasFinished = (name: string) => done.has(name) || !steps.some((step) => step.name === name);

  const isLight = (step: Step) => step.isPreparation === true || step.isPatient === true;
  const weight = (step: Step) => (step.isExclusive ? slots : isLight(step) ? 0 : 1);
  const usedSlots = () => [...running.keys()].reduce((total, step) => total + weight(step), 0);

  const start = (step: Step) => {
    waiting.delete(step);
    const finish = (result: StepResult) => {
      done.set(step.name, result);
      running.delete(step);
      onDone(result);
    };
    running.set(step, runStep(step, done, signal).then(finish));
  };

  while (waiting.size + running.size > 0) {
    for (const step of waiting) {
      const isFree = isLight(step) || usedSlots() + weight(step) <= slots;
      const isReady = [...(step.needs ?? []), ...(step.after ?? [])].every(hasFinished);
      if (isReady && isFree) start(step);
    }
    if (running.size === 0) throw new Error(`Steps wait for each other: ${[...waiting].map((s) => s.name).join(', ')}`);
    await Promise.race(running.values());
  }
  return [...done.values()];
}

export const countStep = ({ outcome: { tally }, isPreparation }: StepResult): Tally =>
  isPreparation ? { passed: 0, failed: tally.failed, skipped: 0 } : tally;

async function runStep(step: Step, done: ReadonlyMap<string, StepResult>, signal: AbortSignal): Promise<StepResult> {
  const startedAt = Date.now();
  const failedNeeds = (step.needs ?? []).filter((need) => (done.get(need)?.outcome.tally.failed ?? 0) > 0);
  const children = new Children();
  const stop = () => void children.stopAll();
  signal.addEventListener('abort', stop);
  const outcome = await tryStep(step, { failedNeeds, children, signal });
  signal.removeEventListener('abort', stop);
  await children.stopAll();
  const seconds = (Date.now() - startedAt) / 1000;
  return { name: step.name, outcome, seconds, cpuSeconds: children.cpu(), isPreparation: step.isPreparation === true };
}

type StepContext = { failedNeeds: readonly string[]; children: Children; signal: AbortSignal };

async function tryStep(step: Step, { failedNeeds, children, signal }: StepContext): Promise<Outcome> {
  if (signal.aborted) return failed('Interrompu avant de commencer.');
  if (failedNeeds.length > 0) return failed(`Pas exécuté : ${failedNeeds.join(', ')} a échoué.`);
  try {
    const outcome = await step.run(children);
    return signal.aborted && outcome.tally.failed === 0 ? failed(`${outcome.output}\nInterrompu.`) : outcome;
  } catch (error) {
    return failed(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
