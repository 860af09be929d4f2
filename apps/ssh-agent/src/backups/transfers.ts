import { downloadFrom } from '@vigie/ssh/transfer';
import { readArchive } from '@vigie/wordpress/backups';
import { RetryLater } from '../jobs/job-handler';
import { tooSlow } from './backup-failures';
import type { BackupFolder } from './backup-folder';

/** The slowest pace of a transfer: a slower one would occupy a worker for days. */
const minPace = { bytes: 1_048_576, ms: 600_000 };

type ArchiveSink = { confirmedBytes: () => number; take: (bytes: Buffer) => void | Promise<void> };

/**
 * Streams an archive of a host to its end, resuming where the connection was cut. The returned hash covers the last
 * piece only.
 */
export function streamArchive(folder: BackupFolder, name: string, { confirmedBytes, take }: ArchiveSink) {
  const piece = (signal: AbortSignal) =>
    folder.withSignal(signal).use((_, location, connection) => {
      const { script, args } = readArchive(location, name, confirmedBytes());
      return downloadFrom(connection, script, take, { args, signal });
    });
  return keepTransferring(piece, { confirmedBytes, signal: folder.signal });
}

type TransferOptions = {
  signal: AbortSignal;
  /** How many bytes have arrived for sure. */
  confirmedBytes: () => number;
  /** How many bytes were sent, whether they have arrived or not. */
  movedBytes?: () => number;
  ms?: number;
};

/** Retries a transfer whose connection is cut, as long as every try advances, and it is fast enough. */
export async function keepTransferring<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, confirmedBytes, movedBytes = confirmedBytes, ms = minPace.ms }: TransferOptions,
): Promise<T> {
  const slow = new AbortController();
  let lastMoved = movedBytes();
  const pace = setInterval(() => {
    if (movedBytes() - lastMoved < minPace.bytes) slow.abort(tooSlow());
    lastMoved = movedBytes();
  }, ms);
  const within = AbortSignal.any([signal, slow.signal]);
  try {
    return await retryWhileGrowing(() => work(within), confirmedBytes);
  } catch (error) {
    slow.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(pace);
  }
}

async function retryWhileGrowing<T>(work: () => Promise<T>, confirmedBytes: () => number): Promise<T> {
  for (;;) {
    const from = confirmedBytes();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RetryLater) || confirmedBytes() <= from) throw error;
    }
  }
}

/** Runs both at once, and stops one when the other fails. */
export async function runTogether<A, B>(
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
