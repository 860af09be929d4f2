import type { AlertAnswer } from '@vigie/contracts/alerts';
import type { AlertKind } from '@vigie/contracts/channels';

/** The pauses after failed attempts, in seconds; after the last of them a message is given up. */
const pauses = [10, 60, 300, 900, 3_600];

/** What becomes of a delivery after an attempt. */
export type Outcome = { state: 'sent' | 'failed' } | { state: 'queued'; seconds: number };

/** A test is for a person who waits: it is tried once. */
export function outcomeOf(
  { outcome, retry_after: retryAfter }: Pick<AlertAnswer, 'outcome' | 'retry_after'>,
  kind: AlertKind,
  attempts: number,
): Outcome {
  if (outcome === 'sent') return { state: 'sent' };
  const pause = pauses[attempts - 1];
  if (outcome === 'refused' || kind === 'test' || pause === undefined) return { state: 'failed' };
  return { state: 'queued', seconds: Math.max(pause, retryAfter ?? 0) };
}
