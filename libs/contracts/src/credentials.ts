import { z } from 'zod';
import { contract } from './contract';
import { id, SealedText } from './text';

const oneProof = 'Donnez un mot de passe ou une clé privée, pas les deux.';
const oneLine = 'Un mot de passe tient sur une ligne.';
const secret = z.string().max(1_024, 'Ce secret ne peut pas dépasser 1024 caractères.');

/** How somebody logs in to a host: exactly one proof. The passphrase opens the key once, when it comes. */
export const SshAuth = z
  .strictObject({
    password: secret.refine((value) => !/[\0\r\n]/.test(value), oneLine).optional(),
    privateKeyPem: z.string().max(32_768, 'Cette clé est trop longue\u00a0: 32 Kio au plus.').optional(),
    passphrase: secret.optional(),
  })
  .refine(({ password, privateKeyPem }) => !password || !privateKeyPem, oneProof);
export type SshAuth = z.infer<typeof SshAuth>;

/** An empty secret is none. */
export const isEmptyAuth = ({ password, privateKeyPem }: SshAuth) => !password && !privateKeyPem?.trim();

/** In a form, where an empty one is none. */
export const OptionalAuth = SshAuth.nullish().transform((value) => (value && isEmptyAuth(value) ? undefined : value));

/** Where a credential is used: it opens for this host, port and user only. */
export const SshAddress = z.object({ host: z.string(), port: z.int(), user: z.string() });
export type SshAddress = z.infer<typeof SshAddress>;

/** The row that keeps a credential. */
const Row = z.object({ table: z.enum(['servers', 'sites']), id });

/** What is kept of a host, as the agents need it to log in. */
export const SshAccess = SshAddress.extend({
  row: Row,
  credential: SealedText,
  /** Where that opens, if not here: its key alone is used then, and a password stays where it belongs. */
  sealed_for: z.object({ row: Row, address: SshAddress }).nullish(),
  /** Goes up with each change of the credential or of the pin: a connection of an older one is not used again. */
  version: z.int(),
  /** The pinned fingerprint; null before the first contact. */
  host_key: z.string().nullable(),
  /** Private addresses are for what an administrator owns. */
  allows_private: z.boolean(),
  /** What is started there ends with its connection: an operation runs on the one that began it. */
  kills_children: z.boolean().default(false),
});
export type SshAccess = z.infer<typeof SshAccess>;

const Known = z.object({ credential: SealedText, address: SshAddress });

/**
 * Checks a credential and seals it for its row and address, so that its keeper can neither read nor redirect it. A
 * password comes beside the key that is there, or beside a new pair; a key replaces both; `auth: null` leaves the key
 * alone. Without `auth` what is there is sealed anew, to the newest key, and for another address when it holds no password.
 */
export const importCredential = contract('agent.credentials.import', {
  input: z.object({
    auth: SshAuth.nullish(),
    // As the person named them: the seal of `auth` is bound to them, and none may differ from `row` and `target`. What
    // an edit does not name stays where the credential of its row is.
    id: id.nullish(),
    host: z.string().nullish(),
    port: z.int().nullish(),
    user: z.string().nullish(),
    /** Whose address holds where a site's form says nothing. */
    server_id: id.nullish(),
    row: Row,
    target: SshAddress,
    current: Known.nullish(),
    /** The server named by `server_id`, as it proves its address. */
    server: Known.extend({ id }).nullish(),
  }),
  output: z.object({
    credential: SealedText,
    method: z.enum(['password', 'key']),
    /** As a line of `authorized_keys`, without a comment. */
    public_key: z.string(),
    /** Of `auth`: the same for the same secret, and of no use without the agents' keys. */
    digest: z.string(),
  }),
  callers: ['sites-svc'],
  sealed: { reader: 'ssh-agent', fields: ['auth'], boundTo: ['id', 'host', 'port', 'user', 'server_id'] },
  timeoutMs: 20_000,
});
export type ImportCredential = z.output<(typeof importCredential)['input']>;
