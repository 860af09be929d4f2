import { z } from 'zod';
import { contract, forwarding } from './contract';
import { importCredential, OptionalAuth } from './credentials';
import { callerRole } from './grant-roles';
import { maxGroups, tooManyGroups } from './groups';
import { UpdateCheck, Extension, SiteState, SiteProblem } from './inventory';
import { JobState, JobTicket } from './jobs';
import { DiagnosisStep, Fingerprint } from './servers';
import { siteUrl, wpPath } from './site-address';
import { namedTokenKeys, parseSiteQuery } from './site-search';
import { optionalSshHost, sshPort, sshUser } from './ssh-address';
import { id, offset, oneOf, requiredLine, SealedText, searchText, timestamp } from './text';

/** Shown as OK, Attention, Erreur and N/A. */
export const SiteStatus = z.enum(['ok', 'warning', 'error', 'unknown']);
export type SiteStatus = z.infer<typeof SiteStatus>;

/** The reason of a visit that the outbound rule refused. */
export const forbiddenAddress = 'Adresse non autorisée';

/** A site's answer to a visitor. `code` 0 means no answer, for the reason in `error`. */
export const HttpStatus = z.object({
  code: z.int(),
  error: z.string().nullable(),
  method: z.string(),
  /** The final address after redirects. */
  url: z.string(),
  ms: z.int().nullable(),
  checked_at: timestamp,
});
export type HttpStatus = z.infer<typeof HttpStatus>;

/** A site's SSH connection. A null field takes the server's value, or the default. Only owners see it. */
const Ssh = z.object({
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  host: z.string().nullable(),
  port: z.int().nullable(),
  user: z.string().nullable(),
  wp_path: z.string().nullable(),
  /** Whether the site has its own password and its own key. */
  has_password: z.boolean(),
  has_key: z.boolean(),
  /** Public half of the site's own key, as a line of `authorized_keys`. */
  public_key: z.string().nullable(),
  host_key: z.string().nullable(),
  /** The address that Vigie connects to. */
  effective: z.object({ host: z.string(), port: z.int(), user: z.string() }).nullable(),
});

const Updates = z.object({ core: z.int(), plugins: z.int(), themes: z.int() });

/** The open job of a site that runs, or else waits longest. `open` counts all of them, `done` those of its batch that ended. */
export const SiteWork = z.object({
  job_id: id,
  kind: z.string(),
  state: JobState,
  step: z.string().nullable(),
  open: z.int(),
  done: z.int().default(0),
});
export type SiteWork = z.infer<typeof SiteWork>;

const SiteLine = {
  id,
  /** Sent in admin mode. */
  owner_id: id.optional(),
  ...callerRole,
  name: z.string(),
  url: z.string(),
  /** Those that the caller sees. */
  groups: z.array(id),
  connection: z.object({ method: z.literal('ssh'), ssh: Ssh }),
  status: SiteStatus,
  /** Why the status is what it is, the worst first; empty when all is well. */
  status_reasons: z.array(z.string()).default([]),
  work: SiteWork.nullable().default(null),
  /** Why the last connection failed; null when it succeeded. */
  ssh_error: z.string().nullable(),
  problem: SiteProblem.nullable(),
  http: HttpStatus.nullable(),
  wpCore: z.object({ version: z.string().nullable(), hasUpdate: z.boolean(), new_version: z.string().nullable() }),
  php_version: z.string().nullable(),
  /** Null before the first scan. */
  updates: Updates.nullable(),
  plugins_count: z.int().nullable(),
  themes_count: z.int().nullable(),
  last_backup_at: timestamp.nullable(),
  /** When the site's files were last read. */
  read_at: timestamp.nullable(),
};

export const SiteItem = z.object(SiteLine);
export type SiteItem = z.infer<typeof SiteItem>;

/** The state of a site without its core, plugins and themes. */
const SiteDetails = SiteState.omit({
  core: true,
  extensions: true,
  checks: true,
  read_at: true,
  problem: true,
  mark: true,
});

/** The rollback copy of a previous version, which can be restored with the site's tables if the copy has them. */
const PreviousVersion = z.object({
  version: z.string().nullable(),
  made_at: timestamp,
  has_tables: z.boolean().default(false),
});

/** An extension with what Vigie knows besides the scan. */
export const SiteExtension = Extension.extend({
  /** The update needs a licence that the site does not have. */
  blockedByLicense: z.boolean().default(false),
  previous: PreviousVersion.nullable().default(null),
});
export type SiteExtension = z.infer<typeof SiteExtension>;

/** A site with its plugins and themes. */
export const Site = z.object({
  ...SiteLine,
  /** Rollback copy of WordPress itself. */
  previous: PreviousVersion.nullable().default(null),
  plugins: z.array(SiteExtension),
  themes: z.array(SiteExtension),
  checks: z.object({ core: UpdateCheck, plugins: UpdateCheck, themes: UpdateCheck }).nullable(),
  facts: SiteDetails.nullable(),
  /** The caller may open a console by the site's own connection. */
  can_open_console: z.boolean().default(false),
  created_at: timestamp,
});
export type Site = z.infer<typeof Site>;

export const missingFields = 'Veuillez renseigner un nom et une URL.';
export const missingConnection = 'Renseignez hôte, utilisateur et chemin WP ou sélectionnez un serveur.';

const groups = z.array(id).max(maxGroups, tooManyGroups);

/** The connection fields of a form; an empty field takes the server's value, or the default. */
const connectionFields = {
  server_id: id.nullish(),
  host: optionalSshHost.nullish(),
  port: sshPort.nullish(),
  user: sshUser.nullish().transform((user) => (user === '' ? null : user)),
  wp_path: wpPath.nullish().transform((path) => (path === '' ? null : path)),
};
const SshForm = z.object({ ...connectionFields, auth: OptionalAuth });
const ConnectionForm = z.object({ method: oneOf(['ssh']).default('ssh'), ssh: SshForm });

type ConnectionFields = z.output<typeof SshForm>;
const isReachable = ({ server_id: serverId, host, user, wp_path: path }: ConnectionFields) =>
  Boolean(serverId ?? (host && user && path));

/** The connection is flattened for the bus, because only top-level fields can be sealed. */
/** The owner of the call checks them again. */
const siteFields = z.object({ name: requiredLine(missingFields, 100), url: siteUrl(missingFields), groups });

export const CreateSite = siteFields
  .extend({
    groups: groups.default([]),
    connection: ConnectionForm.prefault({ ssh: {} }).refine(({ ssh }) => isReachable(ssh), missingConnection),
  })
  .transform(({ connection, ...site }) => ({ ...site, ...connection.ssh }));
export type CreateSite = z.input<typeof CreateSite>;
const ReceivedSite = siteFields.extend({ ...connectionFields, auth: SealedText.nullish() });
export type ReceivedSite = z.output<typeof ReceivedSite>;

/** An absent field stays unchanged, null clears it, and an empty secret keeps the current one. */
export const EditSite = z
  .object({ id, ...siteFields.partial().shape, connection: ConnectionForm.optional() })
  .transform(({ connection, ...site }) => ({ ...site, ...connection?.ssh }));
export type EditSite = z.input<typeof EditSite>;
const ReceivedSiteEdit = siteFields.partial().extend({ id, ...connectionFields, auth: SealedText.nullish() });
export type ReceivedSiteChanges = z.output<typeof ReceivedSiteEdit>;

/** `attention` puts the sites in error first. */
export const siteSorts = [
  'attention',
  '-attention',
  'name',
  '-name',
  'url',
  '-url',
  'status',
  '-status',
  'updates',
  '-updates',
  'wp_version',
  '-wp_version',
  'php_version',
  '-php_version',
  'server',
  '-server',
  'backup',
  '-backup',
] as const;

/** Filters and text, parsed by `site-search.ts`. */
export const siteQuery = searchText(300).superRefine((text, context) => {
  const { problem } = parseSiteQuery(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const siteFilters = {
  q: siteQuery.default(''),
  sort: oneOf(siteSorts).default('name'),
  /** Includes the subgroups. */
  group_id: id.optional(),
  server_id: id.optional(),
  status: oneOf(SiteStatus.options).optional(),
};

/** Lists everything without `limit`. */
export const listSites = contract('sites.sites.list', {
  http: 'GET /api/sites',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  answer: 'list',
  reads: ['sites'],
  input: z.object({
    ...siteFilters,
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset,
  }),
  output: z.object({ items: z.array(SiteItem), total: z.int() }),
});

/** Lists only ids, to select more sites than a page shows. */
export const listSiteIds = contract('sites.sites.list_ids', {
  http: 'GET /api/sites/ids',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites'],
  input: z.object({ ...siteFilters, limit: z.coerce.number().int().min(1).max(1_000).default(500), offset }),
  output: z.object({ ids: z.array(id), total: z.int() }),
});

/** A filter of a search that matches no group, server or plugin, and the names that come near, nearest first. */
export const SearchHint = z.object({
  key: z.enum(namedTokenKeys),
  value: z.string(),
  choices: z.array(z.string()),
});
export type SearchHint = z.infer<typeof SearchHint>;

/** Explains a search that finds nothing. */
export const explainSiteSearch = contract('sites.sites.explain_search', {
  http: 'GET /api/sites/search-hints',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites', 'groups', 'servers'],
  input: z.object({ q: siteQuery.default('') }),
  output: z.object({ hints: z.array(SearchHint) }),
});

export const readSite = contract('sites.sites.read', {
  http: 'GET /api/sites/:id',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['sites'],
  input: z.object({ id }),
  output: Site,
});

export const createSite = forwarding('sites.sites.create', {
  http: 'POST /api/sites',
  access: 'user',
  scope: 'update',
  status: 201,
  changes: ['sites', 'groups', 'servers'],
  input: CreateSite,
  received: ReceivedSite,
  output: Site,
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

export const editSite = forwarding('sites.sites.edit', {
  http: 'PUT /api/sites/:id',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['sites', 'groups', 'servers'],
  input: EditSite,
  received: ReceivedSiteEdit,
  output: Site,
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

/** Deletes the registration of a site in Vigie, never its files. */
export const deleteSite = contract('sites.sites.delete', {
  http: 'DELETE /api/sites/:id',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['sites', 'groups', 'servers'],
  input: z.object({ id }),
  output: z.object({}),
});

/** Pins the key that the host of a site without a server presents now. */
export const trustSiteKey = contract('sites.sites.trust', {
  http: 'POST /api/sites/:id/trust',
  access: 'user',
  changes: ['sites'],
  input: z.object({
    id,
    fingerprint: Fingerprint,
  }),
  output: Site,
});

/** Steps of a site's test, in order. */
export const siteSteps = ['connect', 'shell', 'path', 'php', 'config', 'database', 'wordpress', 'write'] as const;
export const siteStepNames: Readonly<Record<(typeof siteSteps)[number], string>> = {
  connect: 'Connexion',
  shell: 'Commandes',
  path: 'Dossier',
  php: 'PHP',
  config: 'Configuration',
  database: 'Base de données',
  wordpress: 'WordPress',
  write: 'Écriture',
};
export const SiteStep = DiagnosisStep.extend({ step: z.enum(siteSteps) });
export type SiteStep = z.infer<typeof SiteStep>;

/** Result of a successful test; a failed job's error has the steps and the remedy. */
export const SiteTest = z.object({
  version: z.string(),
  steps: z.array(SiteStep),
  facts: SiteState,
  /** The site's folder, found by its address when its registration names none. */
  path: wpPath.nullish(),
  host_key: z.string().nullish(),
});
export type SiteTest = z.infer<typeof SiteTest>;

/** Tests a site's connection step by step in a job, and scans the site at the end. */
export const testSite = contract('sites.sites.test', {
  http: 'POST /api/sites/:id/test',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: SiteTest },
  changes: ['jobs'],
  input: z.object({ id }),
  output: JobTicket,
});

/** Tests these sites, or all that the caller sees, as a batch. */
export const testSites = contract('sites.sites.test_all', {
  http: 'POST /api/sites/test',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: 'ticket',
  changes: ['jobs'],
  input: z.object({
    ids: z.array(id).min(1, 'Choisissez au moins un site.').max(500, 'Testez 500 sites au plus à la fois.').optional(),
  }),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** Answers from a visit of the last five minutes, or from a new one. */
export const readHttpStatus = contract('sites.sites.http_status', {
  http: 'GET /api/sites/:id/http_status',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  changes: ['sites'],
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: HttpStatus,
  timeoutMs: 20_000,
});
