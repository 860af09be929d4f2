import { planChanged } from '@vigie/contracts/changed-plans';
import type { applyUpdates, restoreItem } from '@vigie/contracts/changes';
import type { Input } from '@vigie/contracts/contract';
import type { AppError } from '@vigie/contracts/errors';
import { itemKeyOf } from '../items/installed-items';
import type { RollbackCopy } from '../items/rollback-copy.entity';
import type { ChangeRequest } from './change-requests';

type UpdateTarget = Input<typeof applyUpdates>['targets'][number];

/**
 * Refuses all updates when one of them no longer goes from and to the versions that its plan showed. They are refused and
 * not thrown away, so that a repeated request still finds the job of the first one.
 */
export function refuseOtherVersions(
  requests: readonly ChangeRequest[],
  targets: readonly UpdateTarget[],
): ChangeRequest[] {
  const expectedVersions = new Map(targets.map((target) => [itemKeyOf(target), target.expected]));
  const changed = requests.find(({ target, input: { item, from, to } }) => {
    const expected = expectedVersions.get(itemKeyOf({ site_id: target.id, ...item }));
    return expected !== undefined && (expected.from !== from || expected.to !== to);
  });
  if (!changed) return [...requests];
  const refusal = otherVersions(changed);
  return requests.map((request) => ({ ...request, refusal }));
}

function otherVersions({ target, input: { item, from, to } }: ChangeRequest): AppError {
  const now = to === null ? `n’a plus de mise à jour` : `passerait de ${from ?? 'version inconnue'} à ${to}`;
  return planChanged(
    `Les versions ont changé depuis ce plan\u00a0: sur ${target.name}, ${item.name} ${now}. Rien n’est mis à jour, refaites un plan.`,
  );
}

/** The refusal of a rollback that would no longer lead from and to what its plan showed; undefined where it does. */
export function refuseOtherCopy(
  { target, input: { item, from } }: ChangeRequest,
  copy: RollbackCopy | null,
  expected: Input<typeof restoreItem>['expected'],
): AppError | undefined {
  if (expected === undefined) return undefined;
  const isSame = copy !== null && copy.madeAt.getTime() === Date.parse(expected.made_at) && from === expected.from;
  if (isSame) return undefined;
  return planChanged(
    `La version installée ou la copie a changé depuis ce plan : ${item.name} reste tel qu’il est sur ${target.name}.`,
  );
}
