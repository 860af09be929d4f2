import type { GrantRole } from '@vigie/contracts/grant-roles';
import type { Person } from '@vigie/contracts/users';
import { useState } from 'react';
import { failureReason } from '../../kit/query/failures';
import { grantsApi, type Target, targetFields } from './grants.api';

export type Refusal = { target: Target; reason: string };
type Outcome = { refusals: readonly Refusal[]; shared: number };

/** Shares several sites and groups with one person, each on its own: a refusal stops none of the others. */
export function useShareMany(person: Person) {
  const [createGrant] = grantsApi.useCreateGrantOfManyMutation();
  const [isSharing, setSharing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ refusals: [], shared: 0 });
  /** Returns the targets that were refused. */
  const share = async (targets: readonly Target[], role: GrantRole): Promise<Target[]> => {
    setSharing(true);
    const refusals: Refusal[] = [];
    for (const target of targets) {
      const { error } = await createGrant({ ...targetFields(target), user_id: person.id, role });
      if (error) refusals.push({ target, reason: failureReason(error, 'le partage n’a pas pu être enregistré.') });
    }
    setOutcome({ refusals, shared: targets.length - refusals.length });
    setSharing(false);
    return refusals.map(({ target }) => target);
  };
  return { share, isSharing, ...outcome };
}
