import { z } from 'zod';
import { archiveName, BackupInput, filename } from './backups';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { id, oneOf } from './text';

/** What whoever restores types. */
export const restoreWord = 'RESTORE';

/**
 * `merge`: what is there and not in the archive stays, as with the official plugin. `replace`: the site becomes what the
 * archive holds.
 */
export const RestoreMode = z.enum(['merge', 'replace']);
export type RestoreMode = z.infer<typeof RestoreMode>;

/** `path`: a file, or a folder and all below it. `table`: one of the database, by its name in the archive. */
export const RestoreScope = z.enum(['all', 'database', 'uploads', 'plugins', 'themes', 'path', 'table']);
export type RestoreScope = z.infer<typeof RestoreScope>;

/** What is restored, and how. */
const Wanted = {
  mode: oneOf(RestoreMode.options).default('merge'),
  scope: oneOf(RestoreScope.options).default('all'),
  /** Of `path` and `table`. */
  path: z.string().max(8_192, 'Ce chemin est trop long.').default(''),
};

/** Kind `backups.restore`. Of a local archive the host gets a copy first. */
export const restoreBackup = contract('sites.backups.restore', {
  input: z.object({
    id,
    filename,
    location: oneOf(['remote', 'local']).default('remote'),
    confirm: z.literal(restoreWord, `Tapez ${restoreWord} pour confirmer la restauration.`).optional(),
    ...Wanted,
  }),
  output: JobTicket,
  callers: ['gateway'],
});

/** What the agents are given. */
export const RestoreInput = BackupInput.extend({
  ...Wanted,
  /** What the site was before is packed under this name first. */
  safety: z.string().regex(archiveName),
});
export type RestoreInput = z.infer<typeof RestoreInput>;

const count = z.int().min(0);

/** The result of `backups.restore`. */
export const RestoreResult = z.object({
  filename: z.string(),
  mode: RestoreMode,
  scope: RestoreScope,
  path: z.string(),
  safety: z.object({ filename: z.string(), size: count }),
  files: count,
  /** What was there and is not any more, being no part of the archive. */
  removed: count,
  tables: count,
  rows: count,
  /** Of the archive; work that began before it was told has none. */
  size: count.optional(),
  /** What an archive may hold and no restore writes, and some of it. */
  skipped: count,
  examples: z.array(z.string()),
  /** What nobody may overlook although it is done. */
  warnings: z.array(z.string()),
  /** What its home page answered afterwards; null where nobody could ask. */
  http_status: z.int().nullable(),
});
export type RestoreResult = z.infer<typeof RestoreResult>;
