import { AppError } from '@vigie/contracts/errors';
import type { Output } from '@vigie/contracts/contract';
import { describeUsers } from '@vigie/contracts/users';
import type { Bus } from '@vigie/service-kit/bus';

export type KnownUser = Output<typeof describeUsers>['users'][number];

/** Users per call: a message on the bus carries one megabyte. */
const maxUsers = 1_000;

/** Reads the names of users from auth-svc; those that do not exist are left out. */
export async function findUsers(bus: Bus, ids: readonly string[]): Promise<ReadonlyMap<string, KnownUser>> {
  const distinctIds = [...new Set(ids)];
  const found = new Map<string, KnownUser>();
  for (let start = 0; start < distinctIds.length; start += maxUsers) {
    const { users } = await bus.call(describeUsers, { ids: distinctIds.slice(start, start + maxUsers) });
    for (const user of users) found.set(user.id, user);
  }
  return found;
}

export const unknownPerson = () => new AppError('not_found', 'Cette personne n’existe pas ou n’existe plus.');

export async function requireUser(bus: Bus, id: string): Promise<KnownUser> {
  const user = (await findUsers(bus, [id])).get(id);
  if (!user) throw unknownPerson();
  return user;
}
