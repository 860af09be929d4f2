import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import type { OpenSessions } from '../sessions/open-sessions';
import { Session } from '../sessions/session.entity';

/**
 * Frees the session that proved a second factor. The user’s other restricted sessions only proved the password, so they
 * end and log in again with it. Returns the sessions that gateways must drop from their caches; an unrestricted session is
 * not among them and keeps its consoles.
 */
export async function liftRestriction(
  manager: EntityManager,
  openSessions: OpenSessions,
  userId: string,
): Promise<string[]> {
  const { sid } = currentUser();
  const { affected } = await manager.update(Session, { id: sid, isRestricted: true }, { isRestricted: false });
  const ended = await openSessions.end(manager, { userId, isRestricted: true });
  return affected === 1 ? [sid, ...ended] : ended;
}
