import { z } from 'zod';
import { contract, event } from './contract';
import { id, timestamp } from './text';
import { tokenScopes } from './token-scopes';
import { Role } from './users';

/** The user behind a token. Only the token's hash crosses the bus. */
export const Session = z.object({
  sid: id,
  sub: id,
  role: Role,
  /** Shown in the activity feed; an older release of auth-svc sends neither email nor name. */
  email: z.string().optional(),
  name: z.string().optional(),
  expires_at: timestamp,
  /** The session may only set up its 2FA. */
  is_restricted: z.boolean(),
  /** What a token may do, and the groups to which it is narrowed. A person's session has none of the three. */
  scopes: z.array(z.enum(tokenScopes)).optional(),
  group_ids: z.array(id).optional(),
  token_name: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

export const checkSession = contract('auth.sessions.check', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ session: Session.nullable() }),
  callers: ['gateway'],
});

export const findSessions = contract('auth.sessions.find', {
  input: z.object({ sids: z.array(id).max(1_000) }),
  output: z.object({ items: z.array(Session) }),
  callers: ['gateway', 'sites-svc'],
  timeoutMs: 2_500,
});

/** Makes every gateway drop its cache; a lost event lets a cached session live at most 5 s longer. */
export const sessionsRevoked = event('auth.sessions.revoked', {
  payload: z.object({ sids: z.array(id).max(1000) }),
  publisher: 'auth-svc',
});
