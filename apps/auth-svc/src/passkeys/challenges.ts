import { randomBytes } from 'node:crypto';
import { challengeLifetimeMs } from '@vigie/contracts/passkeys';
import { hashToken } from '@vigie/service-kit/tokens';
import type { EntityManager } from 'typeorm';

/** What a challenge is good for. A login names no user yet, the other two name theirs; a creation stays in its session. */
export type ChallengeUse =
  | { purpose: 'creation'; userId: string; sid: string }
  | { purpose: 'login'; userId: null }
  | { purpose: 'second_factor'; userId: string };

/** Per user and purpose: one for each window that somebody may have open. Those of logins are counted per address. */
const maxChallenges = 5;

/** Makes a challenge, stored as a hash, that one answer may use. */
export async function issueChallenge(manager: EntityManager, use: ChallengeUse): Promise<string> {
  const { purpose, userId } = use;
  const challenge = randomBytes(32).toString('base64url');
  await manager.query(
    'insert into passkey_challenges (hash, purpose, user_id, session_id, expires_at) values ($1, $2, $3, $4, $5)',
    [hashToken(challenge), purpose, userId, sessionOf(use), new Date(Date.now() + challengeLifetimeMs)],
  );
  await manager.query(
    `delete from passkey_challenges where hash in (
       select hash from passkey_challenges where user_id = $1 and purpose = $2
       order by expires_at desc, hash offset $3)`,
    [userId, purpose, maxChallenges],
  );
  return challenge;
}

const sessionOf = (use: ChallengeUse) => ('sid' in use ? use.sid : null);

/** Uses a challenge up in one statement, so that two answers cannot share it. Call it outside of transactions. */
export async function useChallenge(manager: EntityManager, challenge: string, use: ChallengeUse): Promise<boolean> {
  const [, deletedCount]: [unknown, number] = await manager.query(
    `delete from passkey_challenges
     where hash = $1 and purpose = $2 and user_id is not distinct from $3::uuid
       and session_id is not distinct from $4::uuid and expires_at > now()`,
    [hashToken(challenge), use.purpose, use.userId, sessionOf(use)],
  );
  return deletedCount === 1;
}

/** The challenge that an answer says it was made for; undefined when it is no answer of a browser. */
export function challengeIn({ clientDataJSON }: { clientDataJSON: string }): string | undefined {
  try {
    const { challenge, crossOrigin }: Record<string, unknown> = JSON.parse(
      Buffer.from(clientDataJSON, 'base64url').toString(),
    );
    // A page of another origin that shows Vigie in a frame must not ask for its passkeys.
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : undefined;
  } catch {
    return undefined;
  }
}
