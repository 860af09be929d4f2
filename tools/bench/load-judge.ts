import { isRead, type Kind, orders, reads, type PlannedRequest } from './load-plan';
import { percentiles, quantile } from './statistics';

export type LoadBatch = {
  requests: readonly PlannedRequest[];
  gateways: readonly string[];
  people: readonly Record<string, string>[];
};

export type Answer = {
  kind: Kind;
  /** Milliseconds from the start of the batch. */
  due: number;
  /** Milliseconds between the planned and the actual time of the request. */
  late: number;
  /** Milliseconds from the planned time to the last byte of the answer. */
  ms: number;
  status: number;
  hasRetryAfter: boolean;
  /** Id of the accepted job. */
  id: string | undefined;
  /** The message of a refusal or of a connection error. */
  message: string | undefined;
};

/** `startedAt` is wall-clock time. `loopMs` is the p99 delay of the event loop of the generator. */
export type LoadResult = { answers: Answer[]; startedAt: number; loopMs: number };

type Times = { count: number; perSecond: number; p50: number; p99: number };
export type Step = {
  rate: number;
  seconds: number;
  sent: number;
  shed: number;
  reads: Times;
  kinds: Record<Kind, Times>;
  lateMs: number;
  loopMs: number;
  verdict: Verdict;
};
/** `blind` means that the generator was too slow, so that the step says nothing about the product. */
export type Verdict = 'held' | 'exceeded' | 'blind';

export const limits = {
  /** Maximum p99 of all reads, without the network. */
  readMs: 500,
  /** More than a tenth of the limit would be time of the generator itself. */
  lateMs: 50,
};

/** The only allowed refusal is a 503 with a Retry-After header. */
export const isShed = ({ status, hasRetryAfter }: Answer) => status === 503 && hasRetryAfter;
const isServed = ({ status }: Answer) => status >= 200 && status < 300;

/** Counts the answers that are not allowed under any load. */
export function countFaults(answers: readonly Answer[]): Map<string, number> {
  const faults = new Map<string, number>();
  for (const answer of answers) {
    if (isServed(answer) || isShed(answer)) continue;
    const { kind, status, message } = answer;
    const fault = status === 0 ? (message ?? 'no answer') : `${status}${status === 503 ? ' without Retry-After' : ''}`;
    faults.set(`${kind} : ${fault}`, (faults.get(`${kind} : ${fault}`) ?? 0) + 1);
  }
  return faults;
}

export type Refusals = { kinds: Map<Kind, { refused: number; sent: number }>; sentences: Map<string, number> };

export function countRefusals(answers: readonly Answer[]): Refusals {
  const kinds: Refusals['kinds'] = new Map();
  const sentences: Refusals['sentences'] = new Map();
  for (const answer of answers) {
    const { refused, sent } = kinds.get(answer.kind) ?? { refused: 0, sent: 0 };
    kinds.set(answer.kind, { refused: refused + Number(isShed(answer)), sent: sent + 1 });
    const { message = '' } = answer;
    if (isShed(answer)) sentences.set(message, (sentences.get(message) ?? 0) + 1);
  }
  return { kinds, sentences };
}

export function judgeStep(result: LoadResult, { rate, seconds }: { rate: number; seconds: number }): Step {
  const { answers, loopMs } = result;
  const lateMs = quantile(
    answers.map(({ late }) => late),
    0.99,
  );
  const summarize = (isWanted: (kind: Kind) => boolean) => summarizeTimes(answers, isWanted, seconds);
  const kinds = Object.fromEntries(
    [...reads, ...orders].map((kind) => [kind, summarize((candidate) => candidate === kind)]),
  );
  const step = {
    rate,
    seconds,
    sent: answers.length,
    shed: answers.filter(isShed).length,
    reads: summarize(isRead),
    kinds: kinds as Step['kinds'],
    lateMs,
    loopMs,
  };
  return { ...step, verdict: judge(step, countFaults(answers).size) };
}

function summarizeTimes(answers: readonly Answer[], isWanted: (kind: Kind) => boolean, seconds: number): Times {
  const times = answers.filter((answer) => isWanted(answer.kind) && isServed(answer)).map(({ ms }) => ms);
  return { count: times.length, perSecond: times.length / seconds, ...percentiles(times) };
}

/** A late generator does not matter once the product refuses requests. */
function judge({ shed, reads: { p99 }, lateMs, loopMs }: Omit<Step, 'verdict'>, faults: number): Verdict {
  if (shed > 0 || faults > 0) return 'exceeded';
  if (Math.max(lateMs, loopMs) > limits.lateMs) return 'blind';
  return p99 > limits.readMs ? 'exceeded' : 'held';
}

export const maxHeld = (steps: readonly Step[]) => steps.findLast(({ verdict }) => verdict === 'held');

/** Rates below this share of the first rate give no useful result. */
const minShare = 0.1;

/**
 * Increases the rate until it is too high, then tries once between the last two. Decreases it when the first was too
 * high.
 */
export function nextRate(
  steps: readonly Pick<Step, 'rate' | 'verdict'>[],
  { first, factor, maxSteps }: { first: number; factor: number; maxSteps: number },
): number | undefined {
  const last = steps.at(-1);
  if (!last) return first;
  const exceeded = steps.filter(({ verdict }) => verdict === 'exceeded');
  if (last.verdict === 'held') return exceeded.length === 0 && steps.length < maxSteps ? last.rate * factor : undefined;
  if (last.verdict === 'blind') return undefined;
  const held = steps.findLast(({ verdict }) => verdict === 'held');
  const lower = last.rate / factor;
  if (!held) return lower >= first * minShare ? lower : undefined;
  if (exceeded.length > 1) return undefined;
  return Math.sqrt(held.rate * last.rate);
}

const windowMs = 1_000;
/** Several windows in a row must be normal, so that one fast second does not count as a recovery. */
const normalWindows = 3;
const slack = 2;

/** Measures the seconds after `overAt` until answers are as fast as before `from`, if they ever are. */
export function measureRecovery(
  answers: readonly Answer[],
  { from, overAt, until }: { from: number; overAt: number; until: number },
): number | undefined {
  const allowedMs = slack * Math.max(...groupBySecond(answers, 0, from).map(windowP99));
  const after = groupBySecond(answers, overAt, until).map(
    (window) => window.every(isServed) && windowP99(window) <= allowedMs,
  );
  const firstNormal = after.findIndex((_, index) => {
    const next = after.slice(index, index + normalWindows);
    return next.length === normalWindows && next.every(Boolean);
  });
  return firstNormal < 0 ? undefined : (firstNormal * windowMs) / 1_000;
}

const windowP99 = (window: readonly Answer[]) =>
  quantile(
    window.map(({ ms }) => ms),
    0.99,
  );

/** Groups the reads by the second in which they were due. */
function groupBySecond(answers: readonly Answer[], from: number, to: number): Answer[][] {
  const count = Math.floor((to - from) / windowMs);
  const windows = Array.from({ length: count }, (): Answer[] => []);
  for (const answer of answers) {
    if (isRead(answer.kind)) windows[Math.floor((answer.due - from) / windowMs)]?.push(answer);
  }
  return windows;
}
