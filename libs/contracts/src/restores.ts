import { z } from 'zod';
import { archiveName, BackupInput, filename } from './backups';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { expectedPlace } from './site-address';
import { id, oneOf } from './text';

/** The word that a user types to confirm a restore. */
export const restoreWord = 'RESTORE';

/**
 * `merge` keeps files and tables that are not in the archive, as the official plugin does. `replace` makes the site
 * equal to the archive.
 */
export const RestoreMode = z.enum(['merge', 'replace']);
export type RestoreMode = z.infer<typeof RestoreMode>;

/** `path` is a file or a folder with everything below it, `table` is a table by its name in the archive. */
export const RestoreScope = z.enum(['all', 'database', 'uploads', 'plugins', 'themes', 'path', 'table']);
export type RestoreScope = z.infer<typeof RestoreScope>;

const restoreOptions = {
  mode: oneOf(RestoreMode.options).default('merge'),
  scope: oneOf(RestoreScope.options).default('all'),
  /** The path or table name for the scopes `path` and `table`. */
  path: z.string().max(8_192, 'Ce chemin est trop long.').default(''),
};

const count = z.int().min(0);

export const RestoreResult = z.object({
  filename: z.string(),
  mode: RestoreMode,
  scope: RestoreScope,
  path: z.string(),
  safety: z.object({ filename: z.string(), size: count }),
  files: count,
  /** Number of files and tables removed because they were not in the archive. */
  removed: count,
  tables: count,
  rows: count,
  /** Size of the archive; absent from jobs of earlier releases. */
  size: count.optional(),
  /** Number of entries that a restore never writes, with some `examples`. */
  skipped: count,
  examples: z.array(z.string()),
  /** Warnings about a restore that succeeded. */
  warnings: z.array(z.string()),
  /** Answer of the home page afterwards; null when it could not be requested. */
  http_status: z.int().nullable(),
});
export type RestoreResult = z.infer<typeof RestoreResult>;

/** Restores an archive in a job of kind `backups.restore`. A local archive is copied to the host first. */
export const restoreBackup = contract('sites.backups.restore', {
  http: 'POST /api/sites/:id/backups/:filename/restore',
  access: 'user',
  scope: 'restore',
  grantRole: 'operator',
  answer: { job: RestoreResult },
  changes: ['jobs', 'backup-jobs'],
  input: z.object({
    id,
    filename,
    location: oneOf(['remote', 'local']).default('remote'),
    confirm: z.literal(restoreWord, `Tapez ${restoreWord} pour confirmer la restauration.`).optional(),
    /** The SHA-256 of the local archive that was chosen: if another one has its name by now, nothing is restored. */
    expected_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    expected_place: expectedPlace,
    ...restoreOptions,
  }),
  output: JobTicket,
});

export const RestoreInput = BackupInput.extend({
  ...restoreOptions,
  /** File name of the safety backup, which the job makes first. */
  safety: z.string().regex(archiveName),
});
export type RestoreInput = z.infer<typeof RestoreInput>;
