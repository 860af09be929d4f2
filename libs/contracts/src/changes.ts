import { z } from 'zod';
import { contract } from './contract';
import { slugRule } from './inventory';
import { JobTicket } from './jobs';
import { SiteToRead } from './site-checks';
import { id, requiredText, timestamp } from './text';
import { UploadType } from './uploads';

export const ItemKind = z.enum(['core', 'plugin', 'theme']);
export type ItemKind = z.infer<typeof ItemKind>;

/** WordPress itself is an item too. */
export const coreSlug = 'wordpress';

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');

/** What is changed on a site: one at a time. */
export const Item = z
  .object({ kind: ItemKind, slug })
  .refine(
    ({ kind, slug: name }) => kind !== 'core' || name === coreSlug,
    `WordPress lui-même se nomme «\u00a0${coreSlug}\u00a0».`,
  );
export type Item = z.infer<typeof Item>;

/** Where an archive or an extension says `type`, an item says `kind`. */
export const itemOf = (of: { type: UploadType; slug: string }): Item => ({ kind: of.type, slug: of.slug });

const Extension = { id, kind: UploadType, slug };

/** A job that changes one item, alone on its site: what was there is put aside first, and comes back if the site suffers. */
export const updateItem = contract('sites.changes.update', {
  input: z.object({ id, kind: ItemKind, slug }),
  output: JobTicket,
  callers: ['gateway'],
});

export const installUpload = contract('sites.changes.install', {
  input: z.object({
    id,
    kind: UploadType,
    filename: requiredText('Choisissez un fichier.', 1_000),
    /** Which one of that name, of those that whoever asks sees. */
    upload_id: id.optional(),
    activate: z.boolean().default(false),
  }),
  output: JobTicket,
  callers: ['gateway'],
});

export const activateItem = contract('sites.changes.activate', {
  input: z.object(Extension),
  output: JobTicket,
  callers: ['gateway'],
});

/** Of themes there is always one. */
export const deactivateItem = contract('sites.changes.deactivate', {
  input: z.object({ id, slug }),
  output: JobTicket,
  callers: ['gateway'],
});

/** Brings back what was put aside last, and puts aside what is there. */
export const restoreItem = contract('sites.changes.restore', {
  input: z.object({ id, kind: ItemKind, slug }),
  output: JobTicket,
  callers: ['gateway'],
});

/** The items of one site, one after the other, as a batch with a line for each. */
export const updateItems = contract('sites.changes.update_items', {
  input: z.object({ id, items: z.array(Item).min(1, 'Choisissez au moins un élément.').max(500) }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

const siteIds = z.array(id).min(1, 'Choisissez au moins un site.').max(500, 'Choisissez 500 sites au plus.');

/** What would be done, before it is: a line for each item of each site. */
export const PlanLine = z.object({
  site_id: id,
  site_name: z.string(),
  kind: ItemKind,
  slug: z.string(),
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** What is run on the host, for whoever wants to know. */
  command: z.string(),
  warnings: z.array(z.string()),
  /** Why it will not be done. */
  refusal: z.string().nullable(),
});
export type PlanLine = z.infer<typeof PlanLine>;

export const Plan = z.object({
  items: z.array(PlanLine),
  /** Of each server that is known: its fullest disk, as it was last seen. */
  disks: z.array(z.object({ server_name: z.string(), disk: z.string(), is_nearly_full: z.boolean() })),
  /** What holds for all of it: the copies put aside, what a rollback does not cover. */
  notes: z.array(z.string()),
  /** Beyond what one plan holds. */
  left_out: z.int(),
});
export type Plan = z.infer<typeof Plan>;

/** Updates of these sites: all of theirs, or these items where they wait. */
export const planUpdates = contract('sites.changes.plan_updates', {
  input: z.object({ site_ids: siteIds, items: z.array(Item).max(500).optional() }),
  output: Plan,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

export const planInstalls = contract('sites.changes.plan_installs', {
  input: z.object({ upload_id: id, site_ids: siteIds }),
  output: Plan,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** The lines of a plan that somebody kept, as a batch. */
export const applyUpdates = contract('sites.changes.apply_updates', {
  input: z.object({
    targets: z
      .array(Item.safeExtend({ site_id: id }))
      .min(1, 'Choisissez au moins un élément.')
      .max(2_000, 'Choisissez 2\u202f000 éléments au plus.'),
  }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

export const applyInstalls = contract('sites.changes.apply_installs', {
  input: z.object({ upload_id: id, site_ids: siteIds, activate: z.boolean().default(false) }),
  output: JobTicket,
  callers: ['gateway'],
  timeoutMs: 15_000,
});

/** An archive in the file store, as it must be when it gets to a host. */
export const Package = z.object({
  key: z.string(),
  sha256: z.string(),
  size: z.int(),
  filename: z.string(),
  /** What it is unpacked, in bytes. */
  unpacked: z.int().nullable(),
  /** Of which upload it was; missing of what was asked for before this was noted. */
  upload_id: id.optional(),
});
export type Package = z.infer<typeof Package>;

/** What the agents are given: kinds `changes.update`, `.install`, `.activate`, `.deactivate` and `.restore`. */
export const ChangeInput = z.object({
  site: SiteToRead,
  item: z.object({ kind: ItemKind, slug, name: z.string() }),
  from: z.string().nullable(),
  /** The version that was promised; null where nobody knows it before. */
  to: z.string().nullable(),
  package: Package.nullable().default(null),
  activate: z.boolean().default(false),
  /** The copy to bring back. */
  aside_id: id.nullable().default(null),
});
export type ChangeInput = z.infer<typeof ChangeInput>;

/** A copy of an item as it was, on its host. */
export const RollbackCopy = z.object({
  id,
  version: z.string().nullable(),
  bytes: z.int(),
  made_at: timestamp,
  /** Whether the tables of its site lie there too. */
  has_tables: z.boolean().default(false),
});
export type RollbackCopy = z.infer<typeof RollbackCopy>;

/** What came of a change: the result of its job, and within its error where the item was put back. */
export const ChangeOutcome = z.object({
  kind: ItemKind,
  slug: z.string(),
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  status: z.enum(['active', 'inactive']).nullable(),
  aside: RollbackCopy.nullable(),
});
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** Codes of errors of these jobs, beside those of every job. */
export const changeCodes = {
  /** It was done, the site suffered, and what was there is back. */
  rolledBack: 'rolled_back',
  /** The site suffered, and what was there could not be brought back. */
  notRolledBack: 'not_rolled_back',
  licence: 'licence_required',
  noRoom: 'no_room',
  /** WordPress, or somebody else by it, is changing something. */
  busy: 'wordpress_busy',
  /** The site does not allow it: `DISALLOW_FILE_MODS`, files that may not be written. */
  forbidden: 'changes_forbidden',
  nothingToDo: 'nothing_to_do',
  download: 'download_failed',
  /** WordPress refused it, and nothing of the site changed. */
  refused: 'refused_by_wordpress',
  interrupted: 'interrupted',
  /** Of the version that was to come back there is no copy any more. */
  copyGone: 'copy_gone',
} as const;
