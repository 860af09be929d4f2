import { runInContext } from '@vigie/service-kit/context';
import { v7 as uuid } from 'uuid';
import { allOwners } from '../owners/owner-filter';

/**
 * Reads as the owner of a channel would, so that a message says what they may know. A channel of the installation reads as
 * an administrator who sees everything.
 */
export function asChannelOwner<T>(ownerId: string | null, work: () => T): T {
  const user =
    ownerId === null
      ? { sub: allOwners, role: 'admin' as const, adminMode: true, sid: '' }
      : { sub: ownerId, role: 'client' as const, adminMode: false, sid: '' };
  return runInContext({ requestId: uuid(), user, grantRole: 'viewer', sharedRole: 'viewer' }, work);
}
