import { z } from 'zod';
import { contract } from './contract';
import { largeBody } from './routes';
import { slugRule } from './inventory';
import { JobTicket } from './jobs';
import { expectedPlace } from './site-address';
import { SiteTarget } from './site-checks';
import { id, requiredText, timestamp } from './text';
import { PackageKind } from './uploads';

export const ItemKind = z.enum(['core', 'plugin', 'theme']);
export type ItemKind = z.infer<typeof ItemKind>;

/** The slug of WordPress itself. */
export const coreSlug = 'wordpress';

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');

/** The plugin, theme or core that a change is about. */
export const Item = z
  .object({ kind: ItemKind, slug })
  .refine(
    ({ kind, slug: name }) => kind !== 'core' || name === coreSlug,
    `WordPress lui-même se nomme «\u00a0${coreSlug}\u00a0».`,
  );
export type Item = z.infer<typeof Item>;

/** Converts an upload or extension, which has a `type`, to an item, which has a `kind`. */
export const itemOf = (extension: { type: PackageKind; slug: string }): Item => ({
  kind: extension.type,
  slug: extension.slug,
});

const Extension = { id, kind: PackageKind, slug };

/** A copy of an item's previous version on its host. */
export const RollbackCopy = z.object({
  id,
  version: z.string().nullable(),
  bytes: z.int(),
  made_at: timestamp,
  /** Whether the copy includes the site's tables. */
  has_tables: z.boolean().default(false),
});
export type RollbackCopy = z.infer<typeof RollbackCopy>;

/** What a visit of a page saw; `code` is 0 without an answer. */
const PageResult = z.object({ url: z.string(), code: z.int(), ms: z.int().nullable(), error: z.string().nullable() });
const SitePages = z.object({ home: PageResult, login: PageResult });
export type SitePages = z.infer<typeof SitePages>;

/** What the checks of a site saw before a change, after it, and after it was rolled back. */
export const ChangeChecks = z.object({
  before: SitePages,
  after: SitePages.nullable(),
  restored: SitePages.nullable(),
  /** New fatal errors in the logs of PHP. */
  php_errors: z.array(z.string()),
});
export type ChangeChecks = z.infer<typeof ChangeChecks>;

/** Outcome of a change: the result of its job, or part of its error after a rollback. */
export const ChangeOutcome = z.object({
  kind: ItemKind,
  slug: z.string(),
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  status: z.enum(['active', 'inactive']).nullable(),
  aside: RollbackCopy.nullable(),
  checks: ChangeChecks.nullable().default(null),
});
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** Updates one item in an exclusive job on the site. A copy is made first and restored if the site breaks. */
export const updateItem = contract('sites.changes.update', {
  http: {
    'POST /api/sites/:id/plugins/update': { kind: 'plugin' },
    'POST /api/sites/:id/themes/update': { kind: 'theme' },
    'POST /api/sites/:id/core/update': { kind: 'core', slug: coreSlug },
  },
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: ChangeOutcome },
  changes: ['jobs', 'changes'],
  input: z.object({ id, kind: ItemKind, slug }),
  output: JobTicket,
});

export const installUpload = contract('sites.changes.install', {
  http: {
    'POST /api/sites/:id/plugins/install': { kind: 'plugin' },
    'POST /api/sites/:id/themes/install': { kind: 'theme' },
  },
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: ChangeOutcome },
  changes: ['jobs', 'changes'],
  input: z.object({
    id,
    kind: PackageKind,
    filename: requiredText('Choisissez un fichier.', 1_000),
    /** Chooses between visible uploads of the same name. */
    upload_id: id.optional(),
    activate: z.boolean().default(false),
  }),
  output: JobTicket,
});

export const activateItem = contract('sites.changes.activate', {
  http: {
    'POST /api/sites/:id/plugins/activate': { kind: 'plugin' },
    'POST /api/sites/:id/themes/activate': { kind: 'theme' },
  },
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: ChangeOutcome },
  changes: ['jobs', 'changes'],
  input: z.object(Extension),
  output: JobTicket,
});

/** Plugins only, since a site always has an active theme. */
export const deactivateItem = contract('sites.changes.deactivate', {
  http: { 'POST /api/sites/:id/plugins/deactivate': { kind: 'plugin' } },
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: ChangeOutcome },
  changes: ['jobs', 'changes'],
  input: z.object({ id, slug }),
  output: JobTicket,
});

/** Restores the last rollback copy of an item, after copying the current version. */
export const restoreItem = contract('sites.changes.restore', {
  http: {
    'POST /api/sites/:id/plugins/restore': { kind: 'plugin' },
    'POST /api/sites/:id/themes/restore': { kind: 'theme' },
    'POST /api/sites/:id/core/restore': { kind: 'core', slug: coreSlug },
  },
  access: 'user',
  scope: 'restore',
  grantRole: 'operator',
  answer: { job: ChangeOutcome },
  changes: ['jobs', 'changes'],
  input: z.object({
    id,
    kind: ItemKind,
    slug,
    /** The installed version and the copy that were shown: if they are others by now, nothing is restored. */
    expected: z.object({ from: z.string().nullable(), made_at: timestamp }).optional(),
    expected_place: expectedPlace,
  }),
  output: JobTicket,
});

/** Updates items of one site, as a batch with one job each; those of plugins and themes are made together. */
export const updateItems = contract('sites.changes.update_items', {
  http: 'POST /api/sites/:id/updates',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: 'ticket',
  changes: ['jobs', 'changes'],
  input: z.object({ id, items: z.array(Item).min(1, 'Choisissez au moins un élément.').max(500) }),
  output: JobTicket,
  timeoutMs: 15_000,
});

const siteIds = z.array(id).min(1, 'Choisissez au moins un site.').max(500, 'Choisissez 500 sites au plus.');

export const PlannedChange = z.object({
  site_id: id,
  site_name: z.string(),
  kind: ItemKind,
  slug: z.string(),
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The equivalent command, shown to curious users. */
  command: z.string(),
  warnings: z.array(z.string()),
  /** Why the change will not be made; null when it will. */
  refusal: z.string().nullable(),
});
export type PlannedChange = z.infer<typeof PlannedChange>;

export const Plan = z.object({
  items: z.array(PlannedChange),
  /** The fullest disk of each server at the last probe. */
  disks: z.array(z.object({ server_name: z.string(), disk: z.string(), is_nearly_full: z.boolean() })),
  /** Notes about the whole plan, such as the limits of a rollback. */
  notes: z.array(z.string()),
  /** Number of lines beyond the plan's maximum. */
  left_out: z.int(),
});
export type Plan = z.infer<typeof Plan>;

/** Plans all pending updates of these sites, or only those of the given items. */
export const planUpdates = contract('sites.changes.plan_updates', {
  http: 'POST /api/updates/plan',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  input: z.object({ site_ids: siteIds, items: z.array(Item).max(500).optional() }),
  output: Plan,
  timeoutMs: 15_000,
});

export const planInstalls = contract('sites.changes.plan_installs', {
  http: 'POST /api/uploads/:upload_id/install/plan',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  input: z.object({ upload_id: id, site_ids: siteIds }),
  output: Plan,
  timeoutMs: 15_000,
});

/** Applies the chosen lines of a plan as a batch. */
export const applyUpdates = contract('sites.changes.apply_updates', {
  http: 'POST /api/updates',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  bodyLimit: largeBody,
  answer: 'ticket',
  changes: ['jobs', 'changes'],
  input: z.object({
    targets: z
      .array(
        Item.safeExtend({
          site_id: id,
          /** The versions that the plan showed: if they are others by now, nothing is updated. */
          expected: z.object({ from: z.string().nullable(), to: z.string().nullable() }).optional(),
        }),
      )
      .min(1, 'Choisissez au moins un élément.')
      .max(2_000, 'Choisissez 2\u202f000 éléments au plus.'),
  }),
  output: JobTicket,
  timeoutMs: 15_000,
});

export const applyInstalls = contract('sites.changes.apply_installs', {
  http: 'POST /api/uploads/:upload_id/install',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: 'ticket',
  changes: ['jobs', 'changes'],
  input: z.object({ upload_id: id, site_ids: siteIds, activate: z.boolean().default(false) }),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** A stored archive with the hash and size that the host must receive. */
export const Package = z.object({
  key: z.string(),
  sha256: z.string(),
  size: z.int(),
  filename: z.string(),
  /** Unpacked size in bytes. */
  unpacked: z.int().nullable(),
  /** The upload; absent from jobs of earlier releases. */
  upload_id: id.optional(),
});
export type Package = z.infer<typeof Package>;

/** Input of the jobs `changes.update`, `.install`, `.activate`, `.deactivate` and `.restore`. */
export const ChangeInput = z.object({
  site: SiteTarget,
  item: z.object({ kind: ItemKind, slug, name: z.string() }),
  from: z.string().nullable(),
  /** The announced version; null when unknown beforehand. */
  to: z.string().nullable(),
  package: Package.nullable().default(null),
  activate: z.boolean().default(false),
  aside_id: id.nullable().default(null),
});
export type ChangeInput = z.infer<typeof ChangeInput>;
