import type { DnsChange } from '@vigie/contracts/dns-changes';
import { AppError } from '@vigie/contracts/errors';
import type { HeldRecord } from '../providers/provider';
import { isSameRecord } from './canonical';
import { type Planned, planChanges } from './plan';
import { type Outcome, type Outcomes, unsent } from './write-all';

/**
 * Returns the outcomes of changes that were applied before under the same key: a change is done when it shows in the
 * snapshot after them, or in the current records.
 */
export function outcomesAgain(
  [left, now]: readonly [left: readonly HeldRecord[], now: readonly HeldRecord[]],
  zoneName: string,
  changes: readonly DnsChange[],
): Outcomes {
  const [then, today] = [left, now].map((records) =>
    planChanges(records, zoneName, changes).map((planned) => outcomeIn(records, planned, changes[planned.index])),
  );
  const outcomes = (then ?? []).map((outcome, at) => (outcome.state === 'done' ? outcome : (today?.[at] ?? outcome)));
  const stopped = outcomes.some(({ state }) => state === 'waiting') ? restWaits() : null;
  return { outcomes, stopped, failure: null };
}

function outcomeIn(records: readonly HeldRecord[], planned: Planned, change: DnsChange | undefined): Outcome {
  const { after } = planned.difference;
  const made = change?.action === 'create' && after && records.find((record) => isSameRecord(record, after));
  if (made) return { planned, state: 'done', record: made, error: null };
  if (change?.action === 'delete' && !planned.before) return { planned, state: 'done', record: null, error: null };
  return unsent(planned);
}

const restWaits = () =>
  new AppError('too_many', 'Une partie de ces changements attend encore\u00a0: relancez ceux-là pour continuer.', {
    retryAfter: 1,
  });
