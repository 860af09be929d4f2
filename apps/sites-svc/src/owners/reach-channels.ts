import { currentUser } from '@vigie/service-kit/context';
import { callerIsAdministrator, isOwned } from './owner-filter';

/** A token sees what is the installation's only with the scope of administrators. */
const seesInstallation = (): boolean =>
  callerIsAdministrator() && (currentUser().scopes === undefined || currentUser().scopes?.includes('admin') === true);

/**
 * SQL condition: the caller may read and change the channel. Without an owner it is the installation's. The parameter is
 * `reachingCaller`.
 */
export const reachesChannel = (channel: string, caller: string): string =>
  `(${isOwned(channel, caller)} or ${channel}.owner_id is null and ${seesInstallation()})`;
