import { z } from 'zod';
import { contract, event, forwarding } from './contract';
import { importCredential, OptionalAuth } from './credentials';
import { JobTicket } from './jobs';
import { sshHost, sshPort, sshUser } from './ssh-address';
import { id, oneOf, requiredLine, SealedText, searchText, timestamp } from './text';

export const ServerType = z.enum(['prod', 'dev', 'backup']);
export type ServerType = z.infer<typeof ServerType>;

/** What was last seen of a server, and when. */
export const ServerStatus = z.object({
  /** Null before the first look. */
  online: z.boolean().nullable(),
  /** For people: `12 j 4 h`. */
  uptime: z.string().nullable(),
  uptime_seconds: z.int().nullable(),
  /** When it started. */
  since: timestamp.nullable(),
  /** `tcp`: its port answers, and more is not known, for the reason in `error`. */
  method: z.enum(['ssh', 'tcp']).nullable(),
  error: z.string().nullable(),
  checked_at: timestamp.nullable(),
  /** A look is under way; its result comes with a later call. */
  refreshing: z.boolean(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;

export const Server = z.object({
  id,
  /** Told in the admin mode. */
  owner_id: id.optional(),
  name: z.string(),
  host: z.string(),
  port: z.int(),
  user: z.string(),
  provider: z.string().nullable(),
  type: ServerType,
  groups: z.array(id),
  /** It logs in with a password. */
  has_password: z.boolean(),
  /** It logs in with a key: one that was given, or the one that was made for it. */
  has_key: z.boolean(),
  /** The pinned fingerprint, `SHA256:…`; null before the first contact. */
  host_key: z.string().nullable(),
  sites_count: z.int(),
  status: ServerStatus,
});
export type Server = z.infer<typeof Server>;

/** As an address carries them. */
export const serverIds = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .pipe(z.array(id).max(100, 'Demandez 100 serveurs au plus.'));

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
/** Without `auth` a key pair is made for it. */
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
/** Absent is unchanged, an empty secret keeps; `auth: null` forgets the password, and the key made for it remains. */
export const EditServer = ServerChanges.extend({ auth: OptionalAuth });
export type EditServer = z.input<typeof EditServer>;
const ReceivedServerChanges = ServerChanges.extend({ auth: SealedText.nullish() });
export type ReceivedServerChanges = z.output<typeof ReceivedServerChanges>;

export const serverSorts = ['name', '-name', 'host', '-host', 'provider', '-provider', 'type', '-type'] as const;

/** Without `limit`, everything, by name. */
export const listServers = contract('sites.servers.list', {
  input: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    q: searchText(200).default(''),
    /** Where nobody chooses, those that are down come first, and then their names. */
    sort: oneOf(serverSorts).optional(),
    group_id: id.optional(),
    /** Of those that the caller sees: the admin mode shows everybody's. */
    owner_id: id.optional(),
  }),
  /** `offline`: of all that are found, whatever part of them is listed. */
  output: z.object({ items: z.array(Server), total: z.int(), offline: z.int().optional() }),
  callers: ['gateway'],
});

export const readServer = contract('sites.servers.read', {
  input: z.object({ id }),
  output: Server,
  callers: ['gateway'],
});

export const createServer = forwarding('sites.servers.create', {
  input: CreateServer,
  received: ReceivedServer,
  output: Server,
  callers: ['gateway'],
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

export const editServer = forwarding('sites.servers.edit', {
  input: EditServer,
  received: ReceivedServerChanges,
  output: Server,
  callers: ['gateway'],
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

/** With `force`, the sites that use it stay and are detached from it. */
export const deleteServer = contract('sites.servers.delete', {
  input: z.object({ id, force: oneOf(['0', '1']).default('0') }),
  output: z.object({}),
  callers: ['gateway'],
});

export const readPublicKey = contract('sites.servers.pubkey', {
  input: z.object({ id }),
  output: z.object({ pubkey: z.string() }),
  callers: ['gateway'],
});

/** What was tried on the way to a server, in the order of the attempt; what follows a failure is `skipped`. */
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
/** What people call them. */
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
  /** What was found, or what is wrong, in one sentence. */
  message: z.string(),
  /** What to do about it. */
  remedy: z.string().nullable(),
  ms: z.number().nullable(),
});
export type DiagnosisStep = z.infer<typeof DiagnosisStep>;

export const Fingerprint = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'Une empreinte s’écrit «\u00a0SHA256:…\u00a0».');

/** What an error tells of a host that shows another key than the pinned one. */
export const HostKeyChanged = z.object({
  code: z.literal('host_key_changed'),
  expected: z.string(),
  actual: z.string(),
});

/** What a test found. Where it failed, its error holds the steps, the remedy and, where the key changed, both of them. */
export const ServerTest = z.object({
  stdout: z.string(),
  method: z.enum(['password', 'key']),
  host_key: Fingerprint,
  steps: z.array(DiagnosisStep),
  /** What is started there ends with its connection; null where that could not be seen. */
  kills_children: z.boolean().nullish(),
});
export type ServerTest = z.infer<typeof ServerTest>;

/** A job, since a slow login takes its time. */
export const testServer = contract('sites.servers.test', {
  input: z.object({ id }),
  output: JobTicket,
  callers: ['gateway'],
});

/** All that the caller sees, or these: a batch of tests. */
export const testServers = contract('sites.servers.test_all', {
  input: z.object({
    ids: z
      .array(id)
      .min(1, 'Choisissez au moins un serveur.')
      .max(500, 'Testez 500 serveurs au plus à la fois.')
      .optional(),
  }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** What was seen within the last seconds, or a new look; a look that takes longer than a moment goes on behind it. */
export const readStatus = contract('sites.servers.status', {
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: ServerStatus,
  callers: ['gateway'],
  timeoutMs: 10_000,
});

/** The same of many at once: who shows a page of servers asks one question, not one for each. */
export const readStatuses = contract('sites.servers.statuses', {
  input: z.object({ ids: serverIds, fresh: oneOf(['0', '1']).default('0') }),
  /** Of those that are there. */
  output: z.array(ServerStatus.extend({ id })),
  callers: ['gateway'],
  timeoutMs: 10_000,
});

/** Accepts the key that the server showed at the last contact, and no other. */
export const trustHostKey = contract('sites.servers.trust', {
  input: z.object({ id, fingerprint: Fingerprint }),
  output: Server,
  callers: ['gateway'],
});

/** Servers whose credential, address or pin is another one now, or which are gone. */
export const serversChanged = event('sites.servers.changed', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});
