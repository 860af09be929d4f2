import { z } from 'zod';
import { contract } from './contract';
import { id, requiredLine, timestamp, typedPassword } from './text';

/** Number of passkeys that a user may have. */
export const maxPasskeys = 20;

/** Time, in milliseconds, for which a challenge is good, and for which the browser waits for its user. */
export const challengeLifetimeMs = 5 * 60_000;

/** Bytes as WebAuthn writes them in JSON. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'Cette réponse de clé d’accès n’est pas valide.');

const credentialId = bytes(1_400);
/** Browsers know more ways than this list will ever have, so that any word is taken. */
const transports = z.array(z.string().max(32)).max(10);

const Credential = z.object({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() });

/** What the browser needs to make a passkey: the `optionsJSON` of `startRegistration`. */
export const PasskeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

/** What the browser needs to use a passkey: the `optionsJSON` of `startAuthentication`. */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  /** The passkeys that may answer; none for a login, where the passkey says whose it is. */
  allowCredentials: z.array(Credential).optional(),
  userVerification: z.literal('required'),
});
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

const answer = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** What `startRegistration` returns; fields that are not named here are dropped. */
export const PasskeyCreation = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(16_384),
    transports: transports.optional(),
  }),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** What `startAuthentication` returns; fields that are not named here are dropped. */
export const PasskeyAssertion = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(2_048),
    userHandle: bytes(128).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const Passkey = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** How the browser reaches it, such as `internal`, `hybrid` or `usb`. */
  transports: z.array(z.string()),
  /** Its maker copies it to the other devices of its user. */
  is_synced: z.boolean(),
  /** The host that Vigie had when it was made, where that is another one now and it opens nothing; null where it works. */
  former_host: z.string().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

export const listPasskeys = contract('auth.passkeys.list', {
  http: 'GET /api/passkeys',
  access: 'security',
  reads: ['two-factor'],
  input: z.object({}),
  output: z.object({
    items: z.array(Passkey),
    total: z.int(),
    /** A sentence that says why this installation cannot offer passkeys; null where it does. */
    unavailable_reason: z.string().nullable(),
    /** The only address at which browsers can make and use them, as `location.origin`; null where there are none. */
    passkey_origin: z.string().nullable(),
  }),
});

/** A passkey opens the account without a password, so that a session alone, which may be stolen, changes none. */
const password = typedPassword('Veuillez saisir votre mot de passe');

/** Begins the creation of a passkey, which this session alone can finish. */
export const offerPasskey = contract('auth.passkeys.options', {
  http: 'POST /api/passkeys/options',
  access: 'security',
  input: z.object({ password }),
  output: PasskeyCreationOptions,
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

const name = requiredLine('Donnez un nom à la clé d’accès.', 80);

/** Adds a passkey, which turns the second factor of its user on. */
export const createPasskey = contract('auth.passkeys.create', {
  http: 'POST /api/passkeys',
  access: 'security',
  status: 201,
  changes: ['two-factor', 'sessions', 'me', 'activity'],
  input: z.object({ name, response: PasskeyCreation }),
  output: Passkey.extend({
    /** The recovery codes, which this answer alone shows, where the passkey is the first second factor of its user. */
    backup_codes: z.array(z.string()),
  }),
  sealedAnswer: ['backup_codes'],
});

export const renamePasskey = contract('auth.passkeys.rename', {
  http: 'PUT /api/passkeys/:id',
  access: 'security',
  changes: ['two-factor'],
  input: z.object({ id, name }),
  output: Passkey,
});

/** Deletes a passkey and ends the other sessions that it opened. The last one is deleted as the 2FA is disabled. */
export const deletePasskey = contract('auth.passkeys.delete', {
  http: 'DELETE /api/passkeys/:id',
  access: 'security',
  changes: ['two-factor', 'sessions', 'activity'],
  input: z.object({ id, password }),
  output: z.object({}),
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});
