import { z } from 'zod';
import { contract, forwarding } from './contract';
import { importCredential, OptionalAuth } from './credentials';
import { UpdateCheck, Extension, SiteFacts, SiteProblem } from './inventory';
import { JobTicket } from './jobs';
import { DiagnosisStep, Fingerprint } from './servers';
import { siteUrl, wpPath } from './site-address';
import { readSiteQuery } from './site-search';
import { optionalSshHost, sshPort, sshUser } from './ssh-address';
import { id, oneOf, requiredLine, SealedText, searchText, timestamp } from './text';

/** OK, Attention, Erreur, N/A. */
export const SiteStatus = z.enum(['ok', 'warning', 'error', 'unknown']);
export type SiteStatus = z.infer<typeof SiteStatus>;

/** What a site answers to whoever visits it. `code` 0: nothing, for the reason in `error`. */
export const HttpStatus = z.object({
  code: z.int(),
  error: z.string().nullable(),
  method: z.string(),
  /** Where the redirects led. */
  url: z.string(),
  ms: z.int().nullable(),
  checked_at: timestamp,
});
export type HttpStatus = z.infer<typeof HttpStatus>;

/** How Vigie gets to its files. What it does not say itself is its server's, or the default. */
const Ssh = z.object({
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  host: z.string().nullable(),
  port: z.int().nullable(),
  user: z.string().nullable(),
  wp_path: z.string().nullable(),
  /** Its own. */
  has_password: z.boolean(),
  has_key: z.boolean(),
  /** Of its own key, as a line of `authorized_keys`. */
  public_key: z.string().nullable(),
  host_key: z.string().nullable(),
  /** What is used in the end. */
  effective: z.object({ host: z.string(), port: z.int(), user: z.string() }).nullable(),
});
const Connection = z.object({ method: z.literal('ssh'), ssh: Ssh });

const Updates = z.object({ core: z.int(), plugins: z.int(), themes: z.int() });

const SiteLine = {
  id,
  /** Told in the admin mode. */
  owner_id: id.optional(),
  name: z.string(),
  url: z.string(),
  groups: z.array(id),
  connection: Connection,
  status: SiteStatus,
  /** Why the last attempt to reach it failed; null when it did not. */
  ssh_error: z.string().nullable(),
  problem: SiteProblem.nullable(),
  http: HttpStatus.nullable(),
  wpCore: z.object({ version: z.string().nullable(), hasUpdate: z.boolean(), new_version: z.string().nullable() }),
  php_version: z.string().nullable(),
  /** Null before anybody was asked. */
  updates: Updates.nullable(),
  plugins_count: z.int().nullable(),
  themes_count: z.int().nullable(),
  last_backup_at: timestamp.nullable(),
  /** When its files were last read. */
  read_at: timestamp.nullable(),
};

/** A line of the list. */
export const SiteItem = z.object(SiteLine);
export type SiteItem = z.infer<typeof SiteItem>;

/** What is known of a site, apart from its plugins and themes. */
const Facts = SiteFacts.omit({ core: true, extensions: true, checks: true, read_at: true, problem: true, mark: true });

/** A version that was put aside before another took its place: it can be had back, and the tables of its site if they lie there. */
const PutAside = z.object({
  version: z.string().nullable(),
  made_at: timestamp,
  has_tables: z.boolean().default(false),
});

/** As it was found, with what is known of it here. */
export const SiteExtension = Extension.extend({
  /** Its update needs a licence that the site has not. */
  blockedByLicense: z.boolean().default(false),
  previous: PutAside.nullable().default(null),
});
export type SiteExtension = z.infer<typeof SiteExtension>;

/** One of them, whole. */
export const Site = z.object({
  ...SiteLine,
  /** Of WordPress itself. */
  previous: PutAside.nullable().default(null),
  plugins: z.array(SiteExtension),
  themes: z.array(SiteExtension),
  checks: z.object({ core: UpdateCheck, plugins: UpdateCheck, themes: UpdateCheck }).nullable(),
  facts: Facts.nullable(),
  created_at: timestamp,
});
export type Site = z.infer<typeof Site>;

export const missingFields = 'Veuillez renseigner un nom et une URL.';
export const missingConnection = 'Renseignez hôte, utilisateur et chemin WP ou sélectionnez un serveur.';

export const maxGroups = 100;
export const tooManyGroups = `Un site est dans ${maxGroups} groupes au plus.`;
const groups = z.array(id).max(maxGroups, tooManyGroups);

/** An empty field is the server's, or the default. */
const way = {
  server_id: id.nullish(),
  host: optionalSshHost.nullish(),
  port: sshPort.nullish(),
  user: sshUser.nullish().transform((user) => (user === '' ? null : user)),
  wp_path: wpPath.nullish().transform((path) => (path === '' ? null : path)),
};
const SshForm = z.object({ ...way, auth: OptionalAuth });
const ConnectionForm = z.object({ method: oneOf(['ssh']).default('ssh'), ssh: SshForm });

type Way = z.output<typeof SshForm>;
const isReachable = ({ server_id: server, host, user, wp_path: path }: Way) =>
  Boolean(server ?? (host && user && path));

/** On the bus the way lies flat: what is sealed of it is a field of its own. */
export const CreateSite = z
  .object({
    name: requiredLine(missingFields, 100),
    url: siteUrl(missingFields),
    groups: groups.default([]),
    connection: ConnectionForm.prefault({ ssh: {} }).refine(({ ssh }) => isReachable(ssh), missingConnection),
  })
  .transform(({ connection, ...site }) => ({ ...site, ...connection.ssh }));
export type CreateSite = z.input<typeof CreateSite>;
const ReceivedSite = z.object({ name: z.string(), url: z.string(), groups, ...way, auth: SealedText.nullish() });
export type ReceivedSite = z.output<typeof ReceivedSite>;

/** Absent is unchanged, null clears, an empty secret keeps. */
export const EditSite = z
  .object({
    id,
    name: requiredLine(missingFields, 100).optional(),
    url: siteUrl(missingFields).optional(),
    groups: groups.optional(),
    connection: ConnectionForm.optional(),
  })
  .transform(({ connection, ...site }) => ({ ...site, ...connection?.ssh }));
export type EditSite = z.input<typeof EditSite>;
const ReceivedServerChanges = z.object({
  id,
  name: z.string().optional(),
  url: z.string().optional(),
  groups: groups.optional(),
  ...way,
  auth: SealedText.nullish(),
});
export type ReceivedSiteChanges = z.output<typeof ReceivedServerChanges>;

export const siteSorts = [
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

/** Words with a meaning of their own, and text: `site-search.ts` reads it. */
export const siteQuery = searchText(300).superRefine((text, context) => {
  const { problem } = readSiteQuery(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** Which of them. */
const which = {
  q: siteQuery.default(''),
  sort: oneOf(siteSorts).default('name'),
  /** With the groups below it. */
  group_id: id.optional(),
  server_id: id.optional(),
  status: oneOf(SiteStatus.options).optional(),
};
const offset = z.coerce.number().int().min(0).max(1_000_000).default(0);

/** Without `limit`, everything. */
export const listSites = contract('sites.sites.list', {
  input: z.object({
    ...which,
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset,
  }),
  output: z.object({ items: z.array(SiteItem), total: z.int() }),
  callers: ['gateway'],
});

/** The same, by their ids alone: for whoever chooses more of them than are shown. */
export const listSiteIds = contract('sites.sites.list_ids', {
  input: z.object({ ...which, limit: z.coerce.number().int().min(1).max(1_000).default(500), offset }),
  output: z.object({ ids: z.array(id), total: z.int() }),
  callers: ['gateway'],
});

/** For whoever keeps something of some sites, and offers the others: of one owner, or of all. */
export const listOtherSites = contract('sites.sites.list_others', {
  input: z.object({
    owner_id: id.nullable(),
    q: siteQuery.default(''),
    except: z.array(id).max(20_000),
    limit: z.int().min(1).max(1_000),
    offset,
  }),
  output: z.object({
    sites: z.array(z.object({ id, owner_id: id, name: z.string(), url: z.string() })),
    total: z.int(),
  }),
  callers: ['dns-svc'],
});

export const readSite = contract('sites.sites.read', { input: z.object({ id }), output: Site, callers: ['gateway'] });

export const createSite = forwarding('sites.sites.create', {
  input: CreateSite,
  received: ReceivedSite,
  output: Site,
  callers: ['gateway'],
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

export const editSite = forwarding('sites.sites.edit', {
  input: EditSite,
  received: ReceivedServerChanges,
  output: Site,
  callers: ['gateway'],
  forwardsTo: importCredential,
  timeoutMs: 25_000,
});

/** Its registration, never a file of it. */
export const deleteSite = contract('sites.sites.delete', {
  input: z.object({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

/** Accepts the key that the host of a site without a server shows now. */
export const trustSiteKey = contract('sites.sites.trust', {
  input: z.object({
    id,
    fingerprint: Fingerprint,
  }),
  output: Site,
  callers: ['gateway'],
});

/** What was tried on the way to a site. */
export const siteSteps = ['connect', 'shell', 'path', 'php', 'config', 'database', 'wordpress', 'write'] as const;
/** What people call them. */
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

/** What a test found; where it failed, its error holds the steps and the remedy. */
export const SiteTest = z.object({
  version: z.string(),
  steps: z.array(SiteStep),
  facts: SiteFacts,
  /** Where it was found: by its address where its registration does not say. */
  path: wpPath.nullish(),
  /** That its host showed. */
  host_key: z.string().nullish(),
});
export type SiteTest = z.infer<typeof SiteTest>;

/** A job: the whole way to it, step by step, and a look at it at the end. */
export const testSite = contract('sites.sites.test', {
  input: z.object({ id }),
  output: JobTicket,
  callers: ['gateway'],
});

/** All that the caller sees, or these: a batch of tests. */
export const testSites = contract('sites.sites.test_all', {
  input: z.object({
    ids: z.array(id).min(1, 'Choisissez au moins un site.').max(500, 'Testez 500 sites au plus à la fois.').optional(),
  }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** What is known of its core, plugins and themes, and since when. */
export const SiteInventory = z.object({
  core: SiteFacts.shape.core,
  plugins: z.array(Extension),
  themes: z.array(Extension),
  checks: Site.shape.checks,
  depth: SiteFacts.shape.depth.nullable(),
  problem: SiteProblem.nullable(),
  updated_at: timestamp.nullable(),
});
export type SiteInventory = z.infer<typeof SiteInventory>;

export const readInventory = contract('sites.sites.inventory', {
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: SiteInventory,
  callers: ['gateway'],
});

/** A job: WordPress itself is asked, and asks for updates. */
export const inspectSite = contract('sites.sites.inspect', {
  input: z.object({ id }),
  output: JobTicket,
  callers: ['gateway'],
});

/** What was seen within five minutes, or a new look. */
export const readHttpStatus = contract('sites.sites.http_status', {
  input: z.object({ id, fresh: oneOf(['0', '1']).default('0') }),
  output: HttpStatus,
  callers: ['gateway'],
  timeoutMs: 20_000,
});

/** What others keep by the id of a site, and ask about it: those that are gone are left out. */
export const describeSites = contract('sites.sites.describe', {
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: z.object({
    sites: z.array(
      z.object({
        id,
        owner_id: id,
        name: z.string(),
        url: z.string(),
        /** Of its server, where it has one or goes by its own. */
        host: z.string().nullable(),
      }),
    ),
  }),
  callers: ['dns-svc'],
});
