import { isRead, type Kind, orders, reads, type Shot } from './load-plan';
import { quantile } from './statistics';

/** What the generator sends: each reader's headers, and each gateway's address. */
export type Volley = { shots: readonly Shot[]; gateways: readonly string[]; people: readonly Record<string, string>[] };

/** Times in milliseconds. */
export type Answer = {
  kind: Kind;
  /** From the beginning of its volley. */
  due: number;
  /** By how much it was sent too late. */
  late: number;
  /** From when it was due to the last byte of its answer. */
  ms: number;
  /** 0 where there was no answer. */
  status: number;
  hasRetryAfter: boolean;
  /** Of the work that was accepted. */
  id: string | undefined;
  /** To whoever was refused; or why there was no answer. */
  said: string | undefined;
};

/** `startedAt` is by the clock of the machine; `loopMs` is how late the generator's event loop was, p99. */
export type Fired = { answers: Answer[]; startedAt: number; loopMs: number };

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
/** `blind`: it was the generator that waited, so that nothing is known of the product. */
export type Verdict = 'held' | 'exceeded' | 'blind';

export const limits = {
  /** Of all reads, p99: what a person takes for at once, the network not counted. */
  readMs: 500,
  /** A tenth of it: more would be the generator's own time. */
  lateMs: 50,
};

/** Told to come back later, and when: the only thing that may be said to what is not served. */
export const isShed = ({ status, hasRetryAfter }: Answer) => status === 503 && hasRetryAfter;
const isServed = ({ status }: Answer) => status >= 200 && status < 300;

/** What nobody may be answered, however much is asked; with how often it was. */
export function faultsOf(answers: readonly Answer[]): Map<string, number> {
  const faults = new Map<string, number>();
  for (const answer of answers) {
    if (isServed(answer) || isShed(answer)) continue;
    const { kind, status, said } = answer;
    const what = status === 0 ? (said ?? 'no answer') : `${status}${status === 503 ? ' without Retry-After' : ''}`;
    faults.set(`${kind} : ${what}`, (faults.get(`${kind} : ${what}`) ?? 0) + 1);
  }
  return faults;
}

export type Refused = { kinds: Map<Kind, { refused: number; sent: number }>; sentences: Map<string, number> };

/** Who was told to come back, by what they wanted and by what they were told. */
export function refusedOf(answers: readonly Answer[]): Refused {
  const kinds: Refused['kinds'] = new Map();
  const sentences: Refused['sentences'] = new Map();
  for (const answer of answers) {
    const { refused, sent } = kinds.get(answer.kind) ?? { refused: 0, sent: 0 };
    kinds.set(answer.kind, { refused: refused + Number(isShed(answer)), sent: sent + 1 });
    const { said = '' } = answer;
    if (isShed(answer)) sentences.set(said, (sentences.get(said) ?? 0) + 1);
  }
  return { kinds, sentences };
}

export function judgeStep(fired: Fired, { rate, seconds }: { rate: number; seconds: number }): Step {
  const { answers, loopMs } = fired;
  const lateMs = quantile(
    answers.map(({ late }) => late),
    0.99,
  );
  const of = (wanted: (kind: Kind) => boolean) => timesOf(answers, wanted, seconds);
  const kinds = Object.fromEntries([...reads, ...orders].map((kind) => [kind, of((other) => other === kind)]));
  const step = {
    rate,
    seconds,
    sent: answers.length,
    shed: answers.filter(isShed).length,
    reads: of(isRead),
    kinds: kinds as Step['kinds'],
    lateMs,
    loopMs,
  };
  return { ...step, verdict: verdictOf(step, faultsOf(answers).size) };
}

/** Of what was served: how much of it there was is beside it. */
function timesOf(answers: readonly Answer[], wanted: (kind: Kind) => boolean, seconds: number): Times {
  const times = answers.filter((answer) => wanted(answer.kind) && isServed(answer)).map(({ ms }) => ms);
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** Where something was shed the generator did its part, late or not. */
function verdictOf({ shed, reads: { p99 }, lateMs, loopMs }: Omit<Step, 'verdict'>, faults: number): Verdict {
  if (shed > 0 || faults > 0) return 'exceeded';
  if (Math.max(lateMs, loopMs) > limits.lateMs) return 'blind';
  return p99 > limits.readMs ? 'exceeded' : 'held';
}

/** The last step that held. */
export const maxHeld = (steps: readonly Step[]) => steps.findLast(({ verdict }) => verdict === 'held');

/** Below that a machine carries nothing that is worth a figure. */
const minShare = 0.1;

/**
 * Up until it is too much, and once between that and the last that was not; down where the first was too much already.
 * Undefined where nothing is left to try.
 */
export function nextRate(
  steps: readonly Pick<Step, 'rate' | 'verdict'>[],
  { first, factor, most: max }: { first: number; factor: number; most: number },
): number | undefined {
  const last = steps.at(-1);
  if (!last) return first;
  const exceeded = steps.filter(({ verdict }) => verdict === 'exceeded');
  if (last.verdict === 'held') return exceeded.length === 0 && steps.length < max ? last.rate * factor : undefined;
  if (last.verdict === 'blind') return undefined;
  const held = steps.findLast(({ verdict }) => verdict === 'held');
  const lower = last.rate / factor;
  if (!held) return lower >= first * minShare ? lower : undefined;
  if (exceeded.length > 1) return undefined;
  return Math.sqrt(held.rate * last.rate);
}

const windowMs = 1_000;
/** So many windows in a row, so that one lucky second is not a recovery. */
const calmWindows = 3;
const slack = 2;

/** How long after `overAt` the answers took no longer than before `from`, in seconds; undefined where they always did. */
export function recoveryOf(
  answers: readonly Answer[],
  { from, overAt, until }: { from: number; overAt: number; until: number },
): number | undefined {
  const defaults = slack * Math.max(...windowsOf(answers, 0, from).map(worst));
  const after = windowsOf(answers, overAt, until).map((window) => window.every(isServed) && worst(window) <= defaults);
  const calm = after.findIndex((_, place) => {
    const next = after.slice(place, place + calmWindows);
    return next.length === calmWindows && next.every(Boolean);
  });
  return calm < 0 ? undefined : (calm * windowMs) / 1_000;
}

const worst = (window: readonly Answer[]) =>
  quantile(
    window.map(({ ms }) => ms),
    0.99,
  );

/** The reads that were due in each second, of the whole ones. */
function windowsOf(answers: readonly Answer[], from: number, to: number): Answer[][] {
  const count = Math.floor((to - from) / windowMs);
  const windows = Array.from({ length: count }, (): Answer[] => []);
  for (const answer of answers) {
    if (isRead(answer.kind)) windows[Math.floor((answer.due - from) / windowMs)]?.push(answer);
  }
  return windows;
}
