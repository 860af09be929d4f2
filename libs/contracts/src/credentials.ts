import { z } from 'zod';
import { contract } from './contract';
import { id, SealedText } from './text';

const bothCredentials = 'Donnez un mot de passe ou une clé privée, pas les deux.';
const multilinePassword = 'Un mot de passe tient sur une ligne.';
const secret = z.string().max(1_024, 'Ce secret ne peut pas dépasser 1024 caractères.');

/** A login to a host: a password or a private key. The passphrase is used once, to import the key. */
export const SshAuth = z
  .strictObject({
    password: secret.refine((value) => !/[\0\r\n]/.test(value), multilinePassword).optional(),
    privateKeyPem: z.string().max(32_768, 'Cette clé est trop longue\u00a0: 32 Kio au plus.').optional(),
    passphrase: secret.optional(),
  })
  .refine(({ password, privateKeyPem }) => !password || !privateKeyPem, bothCredentials);
export type SshAuth = z.infer<typeof SshAuth>;

/** An empty secret counts as absent. */
export const isEmptyAuth = ({ password, privateKeyPem }: SshAuth) => !password && !privateKeyPem?.trim();

/** The login of a form, whose empty fields count as absent. */
export const OptionalAuth = SshAuth.nullish().transform((value) => (value && isEmptyAuth(value) ? undefined : value));

/** The address to which a credential is sealed: the agents open it for this host, port and user only. */
export const SshAddress = z.object({ host: z.string(), port: z.int(), user: z.string() });
export type SshAddress = z.infer<typeof SshAddress>;

/** The database row that stores a credential. */
const Row = z.object({ table: z.enum(['servers', 'sites']), id });

/** How many logins were known when this access was given: what was refused before the last of them is outdated. */
export const Logins = z.int().optional();

/** What is said to those who do not see a site's connection, instead of a failure that may name its host. */
export const connectionFailed = 'Vigie n’arrive pas à se connecter à ce site.';

/** What an agent needs to log in to a host. */
export const SshAccess = SshAddress.extend({
  row: Row,
  credential: SealedText,
  /** The row and address that the credential is sealed for, when not this one: its key is used, its password is not. */
  sealed_for: z.object({ row: Row, address: SshAddress }).nullish(),
  /** Increases when the credential or pinned key changes; connections of an older version are not reused. */
  version: z.int(),
  logins: Logins,
  /** The pinned fingerprint; null before the first contact. */
  host_key: z.string().nullable(),
  /** True for servers and sites of an administrator, who may use private addresses. */
  allows_private: z.boolean(),
  /** The host kills processes that outlive their connection, so an operation runs on the connection that began it. */
  kills_children: z.boolean().default(false),
});
export type SshAccess = z.infer<typeof SshAccess>;

const SealedCredential = z.object({ credential: SealedText, address: SshAddress });

/**
 * Checks a credential and seals it for its row and address, so that sites-svc can neither read nor redirect it. A
 * password is added to the current key pair, or to a new one; a key replaces both; `auth: null` removes the password.
 * Without `auth` the current credential is sealed again with the newest sealing key, and for another address only when
 * it has no password.
 */
export const importCredential = contract('agent.credentials.import', {
  input: z.object({
    auth: SshAuth.nullish(),
    // The fields as the user sent them: the seal of `auth` is bound to them, and none may differ from `row` and
    // `target`. A field that an edit omits stays as in the row's current credential.
    id: id.nullish(),
    host: z.string().nullish(),
    port: z.int().nullish(),
    user: z.string().nullish(),
    /** The server whose address completes a site's form. */
    server_id: id.nullish(),
    row: Row,
    target: SshAddress,
    current: SealedCredential.nullish(),
    /** The server of `server_id`; its sealed credential proves its address. */
    server: SealedCredential.extend({ id }).nullish(),
  }),
  output: z.object({
    credential: SealedText,
    method: z.enum(['password', 'key']),
    /** A line of `authorized_keys`, without a comment. */
    public_key: z.string(),
    /** A digest of `auth`: equal for equal secrets, and useless without the agents' keys. */
    digest: z.string(),
  }),
  callers: ['sites-svc'],
  sealed: { reader: 'ssh-agent', fields: ['auth'], boundTo: ['id', 'host', 'port', 'user', 'server_id'] },
  timeoutMs: 20_000,
});
export type ImportCredential = z.output<(typeof importCredential)['input']>;
