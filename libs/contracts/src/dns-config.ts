import { z } from 'zod';
import { contract } from './contract';
import { email, optionalLines, timestamp } from './text';

/** How Vigie logs in to Cloudflare: with an account's email and global key, or with an API token. */
export const dnsModes = ['global_key', 'api_token'] as const;

/** Permissions that a token should have; `zone_create` is needed only to add domains. */
export const dnsPermissions = ['zone_read', 'dns_read', 'dns_edit', 'zone_create'] as const;
/** Cloudflare's labels on its page for creating tokens. */
export const dnsPermissionNames: Readonly<Record<(typeof dnsPermissions)[number], string>> = {
  zone_read: 'Zone → Zone → Lire',
  dns_read: 'Zone → DNS → Lire',
  dns_edit: 'Zone → DNS → Modifier',
  zone_create: 'Zone → Zone → Modifier',
};

export const DnsPermission = z.object({
  permission: z.enum(dnsPermissions),
  /** `unknown` when there is no zone to test the permission on. */
  state: z.enum(['granted', 'missing', 'unknown']),
});
export type DnsPermission = z.infer<typeof DnsPermission>;

/** A configuration without its key, which is never sent. Without a configuration, `has_config` is false. */
export const DnsConfig = z.object({
  has_config: z.boolean(),
  mode: z.enum(dnsModes).nullable(),
  email: z.string().nullable(),
  notes: z.string().nullable(),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
  /** Why Cloudflare last refused these credentials; null while they work. */
  problem: z.string().nullable(),
  /** Numbers of zones and snapshots that would be deleted with the configuration. */
  zones_count: z.int(),
  snapshots_count: z.int(),
});
export type DnsConfig = z.infer<typeof DnsConfig>;

export const missingLogin = 'Renseignez votre email et votre clé API Cloudflare.';
export const missingToken = 'Renseignez votre jeton d’API Cloudflare.';

const apiKey = z
  .string()
  .max(512, 'Cette clé est trop longue pour une clé Cloudflare.')
  .transform((key) => key.trim())
  .refine((key) => /^[\x21-\x7e]*$/.test(key), 'Cette clé contient des caractères qu’une clé Cloudflare n’a pas.');
const notes = optionalLines(2_000);
const mode = z.string().pipe(z.enum(dnsModes));
/** An empty email counts as absent. */
const login = z
  .string()
  .max(254, 'Ce texte ne peut pas dépasser 254 caractères.')
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => text === '' || email('').safeParse(text).success, 'Cette adresse email n’est pas valide.');

type Credentials = {
  mode?: string | undefined;
  email?: string | null | undefined;
  api_key?: string | null | undefined;
};

/** `api_key` holds the global key or the token, depending on the mode. */
function refuseIncomplete(
  { mode: chosenMode, email: address, api_key: key }: Credentials,
  context: z.RefinementCtx,
): void {
  if (chosenMode === 'api_token' && !key)
    context.addIssue({ code: 'custom', message: missingToken, path: ['api_key'] });
  if (chosenMode !== 'api_token' && !(key && address))
    context.addIssue({ code: 'custom', message: missingLogin, path: ['email'] });
}

export const CreateDnsConfig = z
  .object({ mode: mode.default('global_key'), email: login.nullish(), api_key: apiKey, notes: notes.nullish() })
  .superRefine(refuseIncomplete);
export type CreateDnsConfig = z.input<typeof CreateDnsConfig>;

/** An absent field stays unchanged; an empty key keeps the current one. */
export const EditDnsConfig = z.object({
  mode: mode.optional(),
  email: login.nullish(),
  api_key: apiKey.nullish(),
  notes: notes.nullish(),
});
export type EditDnsConfig = z.input<typeof EditDnsConfig>;

/** Without a key, the stored key is tested with the fields given here. */
export const ValidateDnsConfig = z.object({
  mode: mode.optional(),
  email: login.nullish(),
  api_key: apiKey.nullish(),
});
export type ValidateDnsConfig = z.input<typeof ValidateDnsConfig>;

export const DnsValidation = z.object({
  valid: z.boolean(),
  /** The fault, or the permissions that a token lacks. */
  message: z.string().nullable(),
  permissions: z.array(DnsPermission),
});
export type DnsValidation = z.infer<typeof DnsValidation>;

const sealed = { reader: 'dns-svc', fields: ['api_key'] } as const;
// A call sends up to five requests to Cloudflare.
const timeoutMs = 25_000;

/** Reads the caller's own configuration; each user has one. */
export const readDnsConfig = contract('dns.config.read', {
  http: 'GET /api/cloudflare/config',
  access: 'user',
  scope: 'read',
  reads: ['dns-config'],
  input: z.object({}),
  output: DnsConfig,
});

/** Tests the credentials before it stores them. */
export const createDnsConfig = contract('dns.config.create', {
  http: 'POST /api/cloudflare/config',
  access: 'user',
  status: 201,
  changes: ['dns-config', 'zones', 'site-zones', 'dns-records'],
  input: CreateDnsConfig,
  output: DnsConfig,
  sealed,
  timeoutMs,
});

export const editDnsConfig = contract('dns.config.edit', {
  http: 'PUT /api/cloudflare/config',
  access: 'user',
  changes: ['dns-config', 'zones', 'site-zones', 'dns-records'],
  input: EditDnsConfig,
  output: DnsConfig,
  sealed,
  timeoutMs,
});

/** Deletes the configuration with the links and history of its zones; nothing changes at Cloudflare. */
export const deleteDnsConfig = contract('dns.config.delete', {
  http: 'DELETE /api/cloudflare/config',
  access: 'user',
  changes: ['dns-config', 'zones', 'site-zones', 'dns-records'],
  input: z.object({}),
  output: z.object({}),
});

export const validateDnsConfig = contract('dns.config.validate', {
  http: 'POST /api/cloudflare/config/validate',
  access: 'user',
  changes: ['dns-config'],
  input: ValidateDnsConfig,
  output: DnsValidation,
  sealed,
  timeoutMs,
});

export const DnsAccount = z.object({
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Email of the login; null for a token, which does not name its owner. */
  email: z.string().nullable(),
  permissions: z.array(DnsPermission),
  /** Expiry of the token; null when it has none. */
  expires_at: timestamp.nullable(),
});
export type DnsAccount = z.infer<typeof DnsAccount>;

export const readDnsAccount = contract('dns.config.account', {
  http: 'GET /api/cloudflare/account',
  access: 'user',
  scope: 'read',
  reads: ['dns-config'],
  input: z.object({}),
  output: DnsAccount,
  timeoutMs,
});
