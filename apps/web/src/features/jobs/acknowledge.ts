import type { JobItem } from '@vigie/contracts/jobs';

/** A failure that nobody has taken note of, and whose work nobody has done since. A batch has failures of the caller's own. */
export const canAcknowledge = ({
  state,
  counts,
  acknowledged,
  redone_by: redoneBy,
}: Pick<JobItem, 'state' | 'counts' | 'acknowledged' | 'redone_by'>): boolean =>
  (state === 'failed' || state === 'unknown') &&
  acknowledged === null &&
  redoneBy === null &&
  (counts === null || counts.failed + counts.unknown > 0);

/** "Pris en compte par Camille". */
export const acknowledgedText = (by: string | null): string =>
  by === null ? 'Pris en compte' : `Pris en compte par ${by}`;
