import { z } from 'zod';
import { contract } from './contract';
import { Session } from './session-checks';
import { id, offset, oneOf, requiredLine, timestamp } from './text';
import { tokenScopes } from './token-scopes';

/** A token with which a program acts for its user. The token itself is shown once and stored only as a hash. */
export const Token = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  /** The groups to which the token is narrowed; null for all that its user reaches. */
  group_ids: z.array(id).nullable(),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable(),
  last_used_address: z.string().nullable(),
  /** Its user, for an administrator in admin mode. */
  user_id: id.optional(),
  user_name: z.string().optional(),
  user_email: z.string().optional(),
});
export type Token = z.infer<typeof Token>;

/** Lists the caller's own tokens, and everybody's in admin mode, the newest first. */
export const listTokens = contract('auth.tokens.list', {
  http: 'GET /api/tokens',
  access: 'user',
  reads: ['tokens'],
  input: z.object({ limit: z.coerce.number().int().min(1).max(200).default(100), offset }),
  output: z.object({ items: z.array(Token), total: z.int() }),
});

const maxDays = 366;
/** The signed envelope of each call carries the groups. */
const maxGroups = 50;
const dayMs = 24 * 60 * 60_000;
const expiry = z.iso
  .datetime({ offset: true, error: 'Donnez la date d’expiration, par exemple 2027-06-30T00:00:00Z.' })
  .refine((at) => Date.parse(at) > Date.now(), 'Choisissez une date d’expiration à venir.')
  .refine((at) => Date.parse(at) <= Date.now() + maxDays * dayMs, 'Un jeton expire au plus tard dans un an.');

export const CreateToken = z.object({
  name: requiredLine('Donnez un nom au jeton.', 80),
  scopes: z
    .array(oneOf(tokenScopes))
    .min(1, 'Choisissez au moins un droit.')
    .transform((scopes) => tokenScopes.filter((scope) => scopes.includes(scope))),
  group_ids: z
    .array(id)
    .min(1, 'Choisissez au moins un groupe, ou aucune limite.')
    .max(maxGroups, `Un jeton se limite à ${maxGroups}\u00a0groupes au plus.`)
    .transform((ids) => [...new Set(ids)])
    .nullish(),
  expires_at: expiry,
});
export type CreateToken = z.input<typeof CreateToken>;

/** Creates a token of the caller, which this answer alone shows. */
export const createToken = contract('auth.tokens.create', {
  http: 'POST /api/tokens',
  access: 'fresh',
  status: 201,
  changes: ['tokens', 'activity'],
  input: CreateToken,
  output: Token.extend({ token: z.string() }),
  sealedAnswer: ['token'],
});

/** Revokes a token at once: one's own, or anybody's in admin mode. */
export const deleteToken = contract('auth.tokens.delete', {
  http: 'DELETE /api/tokens/:id',
  access: 'fresh',
  changes: ['tokens', 'activity'],
  input: z.object({ id }),
  output: z.object({}),
});

/** Answers as a session of the token's user would be, with what the token may do. Only its hash crosses the bus. */
export const checkToken = contract('auth.tokens.check', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ session: Session.nullable() }),
  callers: ['gateway'],
});
