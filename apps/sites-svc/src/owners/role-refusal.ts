import { AppError } from '@vigie/contracts/errors';
import { currentContext } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { narrowed } from './narrowing';

const kinds = { sites: 'Ce site est partagé', groups: 'Ce groupe est partagé' } as const;

export const roleTooWeak = (kind: keyof typeof kinds = 'sites') =>
  new AppError('forbidden', `${kinds[kind]} avec vous sans ce droit\u00a0: demandez-le à la personne qui l’a partagé.`);

/** The refusal of what was not found: the caller may see all of it, but their role does not allow this call. */
export async function refusalFor(
  manager: EntityManager,
  kind: keyof typeof kinds,
  ids: readonly string[],
  unknown: AppError,
): Promise<AppError> {
  const user = currentContext()?.user;
  if (!user || user.adminMode) return unknown;
  const [seen]: { count: number }[] = await manager.query(
    `select count(*)::int from ${kind} where id = any($2::uuid[])
       and ${narrowed(kind, 'id', `(owner_id = $1 or id in (select g from granted_${kind}($1, 'viewer') g))`)}`,
    [user.sub, ids],
  );
  return seen?.count === new Set(ids).size ? roleTooWeak(kind) : unknown;
}
