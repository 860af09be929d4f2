import type { ChangeInput, ChangeOutcome } from '@vigie/contracts/changes';
import type { SiteState } from '@vigie/contracts/inventory';
import type { ChangeDone, ChangeEnd } from '@vigie/wordpress/change';
import type { Checkpoint } from './checkpoint';
import type { PageChecks } from './regressions';
import { checksOf } from './verdicts';

/** A change of one item, by the job that made it. */
type Change = { jobId: string; input: ChangeInput; checkpoint: Pick<Checkpoint, 'begun_at' | 'baseline'> };

/** What a change did, as its operation reported and WordPress says now. */
export function doneOutcome(
  { jobId, input, checkpoint }: Change,
  end: ChangeDone,
  state: SiteState | null,
  after: PageChecks | null,
): ChangeOutcome {
  const { version, status } = stateOfItem(state, input.item);
  return {
    ...input.item,
    name: end.name,
    from: end.from ?? input.from,
    to: version ?? end.to,
    status: status ?? end.status,
    aside: rollbackCopyOf({ jobId, input, checkpoint }, end),
    checks: checksOf(checkpoint, { after, php_errors: [] }, null),
  };
}

/** What there is to say of a change that did not last. */
export function undoneOutcome({ item, from, to }: ChangeInput, state: SiteState | null): ChangeOutcome {
  return { ...item, from, to, status: stateOfItem(state, item).status, aside: null, checks: null };
}

export function rollbackCopyOf({ jobId, input, checkpoint }: Change, end: ChangeDone | ChangeEnd) {
  const copy = end.is === 'refused' ? null : end.rollbackCopy;
  return (
    copy && {
      id: jobId,
      version: copy.version ?? input.from,
      bytes: copy.bytes,
      made_at: checkpoint.begun_at,
      has_tables: copy.has_tables,
    }
  );
}

/** Says so if WordPress has another version of the item than the operation left. */
export function describeOtherVersion(
  item: ChangeInput['item'],
  { to }: ChangeDone,
  state: SiteState | null,
): string | undefined {
  const { version } = stateOfItem(state, item);
  const isOther = to !== null && version !== null && version !== to;
  return isOther ? `WordPress dit ${version} au lieu de ${to}` : undefined;
}

/** The version and status of an item as WordPress reports them. */
function stateOfItem(state: SiteState | null, { kind, slug }: ChangeInput['item']) {
  const extension = state?.extensions.find((each) => each.type === kind && each.slug === slug);
  const version = (kind === 'core' ? state?.core.version : extension?.version) ?? null;
  return { version, status: extension?.status ?? null };
}
