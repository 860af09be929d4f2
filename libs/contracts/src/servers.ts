import { z } from 'zod';
import { contract, event, forwarding } from './contract';
import { importCredential, OptionalAuth } from './credentials';
import { JobTicket } from './jobs';
import { HealthAlert } from './server-state';
import { sshHost, sshPort, sshUser } from './ssh-address';
import { id, offset, oneOf, requiredLine, SealedText, searchText, timestamp } from './text';

export const ServerType = z.enum(['prod', 'dev', 'backup']);
export type ServerType = z.infer<typeof ServerType>;

/** Result of the last probe of a server. */
export const ServerStatus = z.object({
  /** Null before the first probe. */
  online: z.boolean().nullable(),
  /** Formatted for users, like `12 j 4 h`. */
  uptime: z.string().nullable(),
  uptime_seconds: z.int().nullable(),
  since: timestamp.nullable(),
  /** `tcp` means that only the port answered, for the reason in `error`. */
  method: z.enum(['ssh', 'tcp']).nullable(),
  error: z.string().nullable(),
  checked_at: timestamp.nullable(),
  /** A service of the release before sends none. */
  alerts: z.array(HealthAlert).default([]),
  /** A probe is running; a later call returns its result. */
  refreshing: z.boolean(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;

export const Server = z.object({
  id,
  /** Sent in admin mode. */
  owner_id: id.optional(),
  name: z.string(),
  host: z.string(),
  port: z.int(),
  user: z.string(),
  provider: z.string().nullable(),
  type: ServerType,
  groups: z.array(id),
  /** A password is stored. */
  has_password: z.boolean(),
  /** A private key is stored, imported or generated. */
  has_key: z.boolean(),
  /** The pinned fingerprint, `SHA256:…`; null before the first contact. */
  host_key: z.string().nullable(),
  sites_count: z.int(),
  status: ServerStatus,
});
export type Server = z.infer<typeof Server>;

export const splitIds = (text: string): string[] => text.split(',').filter(Boolean);

/** Comma-separated ids, as they are in a query string. */
export const serverIds = z
  .string()
  .transform(splitIds)
  .pipe(z.array(id).max(100, 'Demandez 100 serveurs au plus.'))
  .transform((ids) => ids.join(','));

export const missingFields = 'Renseignez un nom et un hôte.';
const provider = z
  .string()
  .max(100, 'Ce texte ne peut pas dépasser 100 caractères.')
  .transform((value) => value.trim().normalize('NFC') || null);
const groups = z.array(id).max(100, 'Un serveur est dans 100 groupes au plus.');

const ServerForm = z.object({
  name: requiredLine(missingFields, 100),
  host: sshHost(missingFields),
  port: sshPort.nullish().transform((port) => port ?? 22),
  user: sshUser.nullish().transform((user) => user || 'root'),
  provider: provider.nullish(),
  type: oneOf(ServerType.options).default('prod'),
  groups: groups.default([]),
});
/** Without `auth` Vigie generates a key pair. */
export const CreateServer = ServerForm.extend({ auth: OptionalAuth });
export type CreateServer = z.input<typeof CreateServer>;
const ReceivedServer = ServerForm.extend({ auth: SealedText.nullish() });
export type ReceivedServer = z.output<typeof ReceivedServer>;

const ServerChanges = z.object({
  id,
  name: requiredLine(missingFields, 100).optional(),
  host: sshHost(missingFields).optional(),
  port: sshPort.nullish().transform((port) => (port === null ? 22 : port)),
  user: sshUser.nullish().transform((user) => (user === null || user === '' ? 'root' : user)),
  provider: provider.nullish(),
  type: oneOf(ServerType.options).optional(),
  groups: groups.optional(),
});
/** An absent field or empty secret stays unchanged; `auth: null` removes the password and keeps the generated key. */
export const EditServer = ServerChanges.extend({ auth: OptionalAuth });
export type EditServer = z.input<typeof EditServer>;
const ReceivedServerChanges = ServerChanges.extend({ auth: SealedText.nullish() });
export type ReceivedServerChanges = z.output<typeof ReceivedServerChanges>;

export const serverSorts = ['name', '-name', 'host', '-host', 'provider', '-provider', 'type', '-type'] as const;

/** Lists everything without `limit`. */
export const listServers = contract('sites.servers.list', {
  http: 'GET /api/servers',
  access: 'user',
  scope: 'read',
  answer: 'list',
  reads: ['servers'],
  input: z
    .object({
      limit: z.coerce.number().int().min(1).max(500).optional(),
      offset,
      q: searchText(200).default(''),
      /** By default servers that are down come first, then by name. */
      sort: oneOf(serverSorts).optional(),
      group_id: id.optional(),
      /** Restricts to one owner's servers, in admin mode. */
      owner_id: id.optional(),
    })
    .transform(({ sort, limit, ...input }) => {
      // A whole list is read in parts. Sorted by name, a server that goes down between two parts keeps its position.
      return { ...input, limit, sort: sort ?? (limit === undefined ? ('name' as const) : undefined) };
    }),
  /** `offline` counts all matching servers, on all pages. */
  output: z.object({ items: z.array(Server), total: z.int(), offline: z.int().optional() }),
});

export const readServer = contract('sites.servers.read', {
  http: 'GET /api/servers/:id',
  access: 'user',
  scope: 'read',
  reads: ['servers'],
  input: z.object({ id }),
  output: Server,
});

export const createServer = forwarding('sites.servers.create', {
  http: 'POST /api/servers',
  access: 'user',
  scope: 'update',
  status: 201,
  changes: ['servers', 'groups'],
  input: CreateServer,
  received: ReceivedServer,
  output: Server,
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

export const editServer = forwarding('sites.servers.edit', {
  http: 'PUT /api/servers/:id',
  access: 'user',
  scope: 'update',
  changes: ['servers', 'groups', 'sites'],
  input: EditServer,
  received: ReceivedServerChanges,
  output: Server,
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

/** With `force`, deletes a server in use and detaches its sites. */
export const deleteServer = contract('sites.servers.delete', {
  http: 'DELETE /api/servers/:id',
  access: 'user',
  scope: 'update',
  changes: ['servers', 'groups', 'sites'],
  input: z.object({ id, force: oneOf(['0', '1']).default('0') }),
  output: z.object({}),
});

export const readPublicKey = contract('sites.servers.pubkey', {
  http: 'GET /api/servers/:id/pubkey',
  access: 'user',
  reads: ['servers'],
  input: z.object({ id }),
  output: z.object({ pubkey: z.string() }),
});

/** Steps of a server's test, in order; steps after a failure are `skipped`. */
export const diagnosisSteps = [
  'resolve',
  'connect',
  'host_key',
  'authenticate',
  'shell',
  'files',
  'detached',
  'php',
  'disk',
  'clock',
] as const;
export const diagnosisStepNames: Readonly<Record<(typeof diagnosisSteps)[number], string>> = {
  resolve: 'Adresse',
  connect: 'Connexion',
  host_key: 'Clé du serveur',
  authenticate: 'Authentification',
  shell: 'Commandes',
  files: 'Fichiers',
  detached: 'Tâches de fond',
  php: 'PHP',
  disk: 'Disque',
  clock: 'Horloge',
};
export const DiagnosisStep = z.object({
  step: z.enum(diagnosisSteps),
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  /** The finding in one sentence. */
  message: z.string(),
  /** What the user should do. */
  remedy: z.string().nullable(),
  ms: z.number().nullable(),
});
export type DiagnosisStep = z.infer<typeof DiagnosisStep>;

export const Fingerprint = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'Une empreinte s’écrit «\u00a0SHA256:…\u00a0».');

/** The error fields for a host whose key is not the pinned one. */
export const HostKeyChanged = z.object({
  code: z.literal('host_key_changed'),
  expected: z.string(),
  actual: z.string(),
});

/** Result of a successful test. A failed job's error has the steps, the remedy and, if the key changed, both keys. */
export const ServerTest = z.object({
  stdout: z.string(),
  method: z.enum(['password', 'key']),
  host_key: Fingerprint,
  steps: z.array(DiagnosisStep),
  /** The host kills processes that outlive their connection; null when unknown. */
  kills_children: z.boolean().nullish(),
});
export type ServerTest = z.infer<typeof ServerTest>;

/** Tests a server in a job, because logins can be slow. */
export const testServer = contract('sites.servers.test', {
  http: 'POST /api/servers/:id/test',
  access: 'user',
  scope: 'update',
  answer: { job: ServerTest },
  changes: ['jobs'],
  input: z.object({ id }),
  output: JobTicket,
});

/** Tests these servers, or all that the caller sees, as a batch. */
export const testServers = contract('sites.servers.test_all', {
  http: 'POST /api/servers/test',
  access: 'user',
  scope: 'update',
  answer: 'ticket',
  changes: ['jobs'],
  input: z.object({
    ids: z
      .array(id)
      .min(1, 'Choisissez au moins un serveur.')
      .max(500, 'Testez 500 serveurs au plus à la fois.')
      .optional(),
  }),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** Answers from a recent probe, or from a new one; a slow probe continues after the answer, with `refreshing` set. */
export const readStatus = contract('sites.servers.status', {
  http: 'GET /api/servers/:id/status',
  access: 'user',
  scope: 'read',
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: ServerStatus,
  timeoutMs: 10_000,
});

/** The status of several servers in one call, for a page of the list. */
export const readStatuses = contract('sites.servers.statuses', {
  http: 'GET /api/servers/statuses',
  access: 'user',
  scope: 'read',
  input: z.object({ ids: serverIds, fresh: oneOf(['0', '1']).default('0') }),
  /** Deleted servers are omitted. */
  output: z.array(ServerStatus.extend({ id })),
  timeoutMs: 10_000,
});

/** Pins the key that the server presented at the last contact, and refuses any other. */
export const trustHostKey = contract('sites.servers.trust', {
  http: 'POST /api/servers/:id/trust',
  access: 'user',
  changes: ['servers'],
  input: z.object({ id, fingerprint: Fingerprint }),
  output: Server,
});

/** Servers that were deleted, or whose credential, address or pinned key changed. */
export const serversChanged = event('sites.servers.changed', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});
