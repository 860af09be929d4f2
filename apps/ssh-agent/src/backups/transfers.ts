import { downloadFrom } from '@vigie/ssh/transfer';
import { readArchive } from '@vigie/wordpress/backups';
import { Later } from '../jobs/job-handler';
import type { SiteFolder } from './site-folder';

type Pulled = { at: () => number; take: (bytes: Buffer) => void | Promise<void> };

/**
 * Streams an archive of a host to its end, from wherever it was cut. The hash is of the last piece, which is all of it
 * where it was the only one.
 */
export function pull(folder: SiteFolder, name: string, { at, take }: Pulled) {
  const { signal } = folder;
  const piece = () =>
    folder.use((_, place, connection) => {
      const { script, args } = readArchive(place, name, at());
      return downloadFrom(connection, script, take, { args, signal });
    });
  return goingOn(piece, at);
}

/** As long as each try brings some of it: a line that is cut now and then is not given up. */
export async function goingOn<T>(work: () => Promise<T>, at: () => number): Promise<T> {
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
