import type { DnsChange } from '@vigie/contracts/dns-changes';
import { AppError } from '@vigie/contracts/errors';
import type { ProviderRecord } from '../providers/provider';
import { isSameRecord } from './canonical';
import { type PlannedChange, planChanges } from './plan';
import { type Outcome, type Outcomes, unsentOutcome } from './change-writer';

/** Returns the outcomes of a repeated request: done is what shows in the snapshot after the first, or now. */
export function outcomesOfRepeat(
  [afterWrite, current]: readonly [left: readonly ProviderRecord[], now: readonly ProviderRecord[]],
  zoneName: string,
  changes: readonly DnsChange[],
): Outcomes {
  const [outcomesAfterWrite, currentOutcomes] = [afterWrite, current].map((records) =>
    planChanges(records, zoneName, changes).map((planned) => outcomeIn(records, planned, changes[planned.index])),
  );
  const outcomes = (outcomesAfterWrite ?? []).map((outcome, at) =>
    outcome.state === 'done' ? outcome : (currentOutcomes?.[at] ?? outcome),
  );
  const stopped = outcomes.some(({ state }) => state === 'waiting') ? restWaits() : null;
  return { outcomes, stopped, failure: null };
}

function outcomeIn(records: readonly ProviderRecord[], planned: PlannedChange, change: DnsChange | undefined): Outcome {
  const { after } = planned.difference;
  const created = change?.action === 'create' && after && records.find((record) => isSameRecord(record, after));
  if (created) return { planned, state: 'done', record: created, error: null };
  if (change?.action === 'delete' && !planned.before) return { planned, state: 'done', record: null, error: null };
  return unsentOutcome(planned);
}

const restWaits = () =>
  new AppError('too_many', 'Une partie de ces changements attend encore\u00a0: relancez-les pour continuer.', {
    retryAfter: 1,
  });
