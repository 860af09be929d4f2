import { downloadFrom } from '@vigie/ssh/transfer';
import { readArchive } from '@vigie/wordpress/backups';
import { Later } from '../jobs/job-handler';
import { tooSlow } from './sentences';
import type { SiteFolder } from './site-folder';

/** What is slower would hold its place among the transfers for days. */
const min = { bytes: 1_048_576, ms: 600_000 };

type Pulled = { at: () => number; take: (bytes: Buffer) => void | Promise<void> };

/**
 * Streams an archive of a host to its end, from wherever it was cut. The hash is of the last piece, which is all of it
 * where it was the only one.
 */
export function pull(folder: SiteFolder, name: string, { at, take }: Pulled) {
  const piece = (signal: AbortSignal) =>
    folder.until(signal).use((_, place, connection) => {
      const { script, args } = readArchive(place, name, at());
      return downloadFrom(connection, script, take, { args, signal });
    });
  return goingOn(piece, { at, signal: folder.signal });
}

type Going = {
  signal: AbortSignal;
  /** How much of it is there for sure. */
  at: () => number;
  /** How much is on its way besides. */
  moved?: () => number;
  ms?: number;
};

/** As long as each try brings some of it, and not too little: a line that is cut now and then is not given up. */
export async function goingOn<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, at, moved = at, ms = min.ms }: Going,
): Promise<T> {
  const slow = new AbortController();
  let seen = moved();
  const pace = setInterval(() => {
    if (moved() - seen < min.bytes) slow.abort(tooSlow());
    seen = moved();
  }, ms);
  const within = AbortSignal.any([signal, slow.signal]);
  try {
    return await asLongAsItGrows(() => work(within), at);
  } catch (error) {
    slow.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(pace);
  }
}

async function asLongAsItGrows<T>(work: () => Promise<T>, at: () => number): Promise<T> {
  for (;;) {
    const from = at();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Later) || at() <= from) throw error;
    }
  }
}

/** Two things at once, neither of which outlives the other where that fails. */
export async function together<A, B>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<A>,
  other: (signal: AbortSignal) => Promise<B>,
): Promise<[A, B]> {
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const both = [one(within), other(within)] as const;
  try {
    return await Promise.all(both);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(both);
    throw error;
  }
}
