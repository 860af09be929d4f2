import { z } from 'zod';
import { contract } from './contract';
import { email, optionalLines, timestamp } from './text';

/** How Vigie logs in: the email of an account with its global key, or a token made for this. */
export const dnsModes = ['global_key', 'api_token'] as const;

/** What a token is asked for. `zone_create` only to add domains. */
export const dnsPermissions = ['zone_read', 'dns_read', 'dns_edit', 'zone_create'] as const;
/** As Cloudflare calls them where a token is made. */
export const dnsPermissionNames: Readonly<Record<(typeof dnsPermissions)[number], string>> = {
  zone_read: 'Zone → Zone → Lire',
  dns_read: 'Zone → DNS → Lire',
  dns_edit: 'Zone → DNS → Modifier',
  zone_create: 'Zone → Zone → Modifier',
};

export const DnsPermission = z.object({
  permission: z.enum(dnsPermissions),
  /** `unknown`: nothing there to try it on. */
  state: z.enum(['granted', 'missing', 'unknown']),
});
export type DnsPermission = z.infer<typeof DnsPermission>;

/** All but the key, which nobody ever sees again. Without a configuration, `has_config` is false and the rest null. */
export const DnsConfig = z.object({
  has_config: z.boolean(),
  mode: z.enum(dnsModes).nullable(),
  email: z.string().nullable(),
  notes: z.string().nullable(),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
  /** Why Cloudflare refused these credentials the last time; null while they work. */
  problem: z.string().nullable(),
  /** What Vigie knows by it, and forgets with it: zones, and the states of them that are kept. */
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
/** Empty: none. */
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

/** In both modes the secret is `api_key`: the global key, or the token. */
function refuseIncomplete({ mode: way, email: address, api_key: key }: Credentials, context: z.RefinementCtx): void {
  if (way === 'api_token' && !key) context.addIssue({ code: 'custom', message: missingToken, path: ['api_key'] });
  if (way !== 'api_token' && !(key && address))
    context.addIssue({ code: 'custom', message: missingLogin, path: ['email'] });
}

export const CreateDnsConfig = z
  .object({ mode: mode.default('global_key'), email: login.nullish(), api_key: apiKey, notes: notes.nullish() })
  .superRefine(refuseIncomplete);
export type CreateDnsConfig = z.input<typeof CreateDnsConfig>;

/** Absent is unchanged, an empty key keeps the one there is. */
export const EditDnsConfig = z.object({
  mode: mode.optional(),
  email: login.nullish(),
  api_key: apiKey.nullish(),
  notes: notes.nullish(),
});
export type EditDnsConfig = z.input<typeof EditDnsConfig>;

/** Without a key: what is stored is tried, with what is named here instead of what is there. */
export const ValidateDnsConfig = z.object({
  mode: mode.optional(),
  email: login.nullish(),
  api_key: apiKey.nullish(),
});
export type ValidateDnsConfig = z.input<typeof ValidateDnsConfig>;

/** What was found when the credentials were tried. */
export const DnsValidation = z.object({
  valid: z.boolean(),
  /** What is wrong, or what a token lacks. */
  message: z.string().nullable(),
  permissions: z.array(DnsPermission),
});
export type DnsValidation = z.infer<typeof DnsValidation>;

const sealed = { reader: 'dns-svc', fields: ['api_key'] } as const;
// Cloudflare is asked up to five times.
const timeoutMs = 25_000;

/** The caller's own: each has one. */
export const readDnsConfig = contract('dns.config.read', {
  input: z.object({}),
  output: DnsConfig,
  callers: ['gateway'],
});

/** Tried before it is kept. */
export const createDnsConfig = contract('dns.config.create', {
  input: CreateDnsConfig,
  output: DnsConfig,
  callers: ['gateway'],
  sealed,
  timeoutMs,
});

export const editDnsConfig = contract('dns.config.edit', {
  input: EditDnsConfig,
  output: DnsConfig,
  callers: ['gateway'],
  sealed,
  timeoutMs,
});

/** The links and the history of the zones go with it; nothing changes at Cloudflare. */
export const deleteDnsConfig = contract('dns.config.delete', {
  input: z.object({}),
  output: z.object({}),
  callers: ['gateway'],
});

export const validateDnsConfig = contract('dns.config.validate', {
  input: ValidateDnsConfig,
  output: DnsValidation,
  callers: ['gateway'],
  sealed,
  timeoutMs,
});

export const DnsAccount = z.object({
  /** Where a new zone goes. */
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Of the login; null for a token, which belongs to nobody it says. */
  email: z.string().nullable(),
  permissions: z.array(DnsPermission),
  /** Of a token that ends. */
  expires_at: timestamp.nullable(),
});
export type DnsAccount = z.infer<typeof DnsAccount>;

export const readDnsAccount = contract('dns.config.account', {
  input: z.object({}),
  output: DnsAccount,
  callers: ['gateway'],
  timeoutMs,
});
