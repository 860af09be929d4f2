import { fr } from '../terminal';
import { type Column, type Report, tableOf } from './report';
import { medians } from './statistics';
import type { Workbench } from './workbench';

/** Vigie, or what one would use in its place. */
export type Contender<S> = {
  name: string;
  /** What must happen once before the first round, such as a warm-up, and is not measured. */
  prepare?: () => Promise<unknown>;
  run: () => Promise<S>;
  /** Less than the rounds of the measure. */
  rounds?: number;
  /** Its figures are said in the lines and need no row. */
  isHidden?: boolean;
};

/** The figures of one contender, from the samples of its rounds. */
type Result<S, F = S> = F & { name: string; samples: readonly S[] };
type Results<N extends string, S, F> = Readonly<Record<N, Result<S, F>>>;

type Race<N extends string, S, F> = {
  title: string;
  contenders: Readonly<Record<N, Contender<S>>>;
  rounds?: number;
  /** Runs all rounds of a contender before those of the next. Otherwise a busy moment of the machine strikes them all. */
  isInSequence?: boolean;
  beforeRound?: (round: number) => Promise<unknown>;
  /** Otherwise each figure is the median of its rounds. */
  summarize?: (samples: readonly S[]) => F;
  columns?: (results: Results<N, S, F>) => readonly Column<Result<S, F>>[];
  /** The goals, and what else no column says. */
  lines?: (results: Results<N, S, F>) => readonly string[];
  note?: string;
  /** Tables whose rows are not the contenders. */
  reports?: (results: Results<N, S, F>) => readonly Report[];
};

/** One line in the table of a part: it lets its contenders run, and returns what is to be said about them. */
export type Measure = (bench: Workbench) => Promise<readonly Report[]>;

/** Starts what is measured, and lists the measures in the order in which they run. */
export type Part = (bench: Workbench, isQuick: boolean) => Promise<readonly Measure[]>;

export function measure<N extends string, S extends object, F extends object = S>(race: Race<N, S, F>): Measure {
  const { summarize = (samples: readonly S[]) => medians(samples) as object as F, columns, lines, note, title } = race;
  return async (bench) => {
    const runs = (Object.entries(race.contenders) as [N, Contender<S>][]).map(([key, contender]) => ({
      key,
      contender,
      samples: [] as S[],
    }));
    for (const group of race.isInSequence ? runs.map((run) => [run]) : [runs]) await takeTurns(bench, race, group);
    const entries = runs.map(({ key, contender: { name }, samples }) => [
      key,
      { ...summarize(samples), name, samples },
    ]);
    const results = Object.fromEntries(entries) as Results<N, S, F>;
    const rows = runs.filter(({ contender }) => !contender.isHidden).map(({ key }) => results[key]);
    const table = columns ? tableOf(rows, columns(results)) : [];
    const own = { title, table, lines: lines?.(results) ?? [], ...(note !== undefined && { note }) };
    return [...((columns ?? lines ?? note) ? [own] : []), ...(race.reports?.(results) ?? [])];
  };
}

type Turns = { title: string; rounds?: number; beforeRound?: (round: number) => Promise<unknown> };
type Run<S> = { contender: Contender<S>; samples: S[] };

async function takeTurns<S>(
  bench: Workbench,
  { title, rounds = 1, beforeRound }: Turns,
  runs: readonly Run<S>[],
): Promise<void> {
  for (const { contender } of runs) {
    if (!contender.prepare) continue;
    bench.step(fr`${title}, ${contender.name} : prépare`);
    await contender.prepare();
  }
  for (let round = 1; round <= rounds; round++) {
    bench.signal.throwIfAborted();
    await beforeRound?.(round);
    for (const { contender, samples } of runs) {
      const own = contender.rounds ?? rounds;
      if (round > own) continue;
      bench.signal.throwIfAborted();
      bench.step(fr`${title}, ${contender.name}${own > 1 ? fr`, tour ${round} sur ${own}` : ''}`);
      samples.push(await contender.run());
    }
  }
}

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; done: T }> {
  const startedAt = performance.now();
  const done = await work();
  return { ms: performance.now() - startedAt, done };
}
