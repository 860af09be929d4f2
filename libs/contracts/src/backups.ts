import { z } from 'zod';
import { contract } from './contract';
import { SshAccess } from './credentials';
import { JobTicket } from './jobs';
import { SiteTarget } from './site-checks';
import { id, offset, oneOf, requiredText, searchText, timestamp } from './text';

/** A base name that is safe on a command line, in a web folder and in an address. */
export const archiveName = /^(?![.-])[A-Za-z0-9._-]+\.wpress$/;
const maxNameLength = 200;
/** Whether Vigie can use an archive of that name; a host may hold archives with other names. */
export const isUsableName = (name: string) => archiveName.test(name) && name.length <= maxNameLength;
const nameIn = (empty: string) =>
  requiredText(empty, maxNameLength)
    .refine((name) => name.trim() === '' || name.endsWith('.wpress'), { error: empty, abort: true })
    .refine(
      (name) => name.trim() === '' || archiveName.test(name),
      'Ce nom de sauvegarde n’est pas valide\u00a0: lettres, chiffres, points, tirets et soulignés, puis .wpress.',
    );
export const filename = nameIn('Choisissez un backup local.');

/** The folder below `wp-content` in which the official plugin stores its archives too. */
export const backupsFolder = 'ai1wm-backups';
export const defaultStorage = `wp-content/${backupsFolder}`;

/** `Distant` is the backup folder of the site's host, `Local` is Vigie's file store. */
export const BackupLocation = z.enum(['Distant', 'Local']);
export type BackupLocation = z.infer<typeof BackupLocation>;
const location = oneOf(['remote', 'local']).default('remote');

/** How a fully read archive was verified: by the format's checksums, by Vigie's, or by its structure alone. */
export const Verification = z.object({
  at: timestamp,
  entries: z.int(),
  by: z.enum(['format', 'vigie', 'structure']),
});
export type Verification = z.infer<typeof Verification>;

const shared = { filename: z.string(), size: z.int() };

export const Backup = z.object({
  ...shared,
  createdAt: timestamp,
  created: timestamp,
  /** The folder, relative to the site's root. */
  storage: z.string(),
  location: BackupLocation,
  /** False when the name is unsafe on a command line: the archive is listed and cannot be used. */
  is_usable: z.boolean(),
  verified: Verification.nullable(),
});
export type Backup = z.infer<typeof Backup>;

export const LocalBackup = z.object({
  ...shared,
  createdAt: timestamp,
  created: timestamp,
  location: BackupLocation,
  /** Null when the site was deleted; the archive then stays for 30 days. */
  site_id: id.nullable(),
  site_name: z.string(),
  goes_at: timestamp.nullable(),
  sha256: z.string(),
  verified: Verification.nullable(),
});
export type LocalBackup = z.infer<typeof LocalBackup>;

export const readBackupsInfo = contract('sites.backups.info', {
  http: 'GET /api/sites/:id/backups/info',
  access: 'user',
  scope: 'read',
  input: z.object({ id }),
  output: z.object({ remoteBackupsDir: z.string(), remoteTmpDir: z.string(), localBackupsDir: z.string() }),
});

/** Lists the archives of a site on its host, read now, and in the store. */
export const listBackups = contract('sites.backups.list', {
  http: 'GET /api/sites/:id/backups',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  answer: 'items',
  reads: ['backups'],
  input: z.object({ id }),
  output: z.object({ items: z.array(Backup) }),
  timeoutMs: 25_000,
});

/** Lists the caller's local archives, this site's first, then the newest. Lists everything without `limit`. */
export const listLocalBackups = contract('sites.backups.list_local', {
  http: 'GET /api/sites/:id/backups/local',
  access: 'user',
  scope: 'read',
  grantRole: 'operator',
  answer: 'list',
  reads: ['backups'],
  input: z.object({
    id,
    /** Words of the names of the archive and its site, in any order; accents and case are ignored. */
    q: searchText(200).default(''),
    /** Restricts the list to the archive of this name. */
    filename: filename.optional(),
    offset,
    limit: z.coerce.number().int().min(1).max(500).optional(),
  }),
  output: z.object({ items: z.array(LocalBackup), total: z.int() }),
});

const key = z.string().regex(/^[0-9a-f]{64}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(0);

/** Result of the job `backups.create`, and the endpoint's answer. */
export const CreatedBackup = Backup.pick({
  filename: true,
  size: true,
  createdAt: true,
  created: true,
  storage: true,
}).extend({
  location: BackupLocation,
  stdout: z.string(),
  entries: z.int(),
  tables: z.int(),
  rows: z.int(),
  /** Number of files that could not be read, with some `examples`. */
  missed: z.int(),
  examples: z.array(z.string()),
});
export type CreatedBackup = z.infer<typeof CreatedBackup>;

/** Creates a job of kind `backups.create`. */
export const createBackup = contract('sites.backups.create', {
  http: 'POST /api/sites/:id/backups',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { job: CreatedBackup },
  changes: ['jobs', 'backup-jobs'],
  input: z.object({ id, exclude_cache: z.boolean().default(true) }),
  output: JobTicket,
});

export const DownloadedBackup = z.object({
  local: z.string(),
  size,
  sha256,
  created: timestamp,
});
export type DownloadedBackup = z.infer<typeof DownloadedBackup>;

/** Copies an archive from the host to the store, in a job of kind `backups.download`. */
export const downloadBackup = contract('sites.backups.download', {
  http: 'POST /api/sites/:id/backups/:filename/download',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { job: DownloadedBackup },
  changes: ['jobs', 'backup-jobs'],
  input: z.object({ id, filename }),
  output: JobTicket,
});

export const ImportedBackup = z.object({ filename: z.string(), size, storage: z.string() });
export type ImportedBackup = z.infer<typeof ImportedBackup>;

/** Copies an archive from the store to the host, in a job of kind `backups.import`. */
export const importBackup = contract('sites.backups.import', {
  http: 'POST /api/sites/:id/backups/import',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { job: ImportedBackup },
  changes: ['jobs', 'backup-jobs'],
  input: z.object({ id, filename }),
  output: JobTicket,
});

export const VerifiedBackup = Verification.extend({ filename: z.string(), size });
export type VerifiedBackup = z.infer<typeof VerifiedBackup>;

/** Verifies a whole archive against its checksums, in a job of kind `backups.verify`. */
export const verifyBackup = contract('sites.backups.verify', {
  http: 'POST /api/sites/:id/backups/:filename/verify',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { job: VerifiedBackup },
  changes: ['jobs', 'backup-jobs'],
  input: z.object({ id, filename, location }),
  output: JobTicket,
});

export const deleteBackup = contract('sites.backups.delete', {
  http: 'DELETE /api/sites/:id/backups/:filename',
  access: 'user',
  scope: 'restore',
  grantRole: 'operator',
  changes: ['backups', 'sites'],
  input: z.object({ id, filename, location }),
  output: z.object({}),
  timeoutMs: 25_000,
});

/** Reserves a place in the store before the upload of a file of at most `announced` bytes. */
export const beginBackupUpload = contract('sites.backups.begin_upload', {
  grantRole: 'operator',
  input: z.object({ id, filename: nameIn('Choisissez un fichier .wpress à téléverser.'), announced: size }),
  output: z.object({ key, most: size }),
  callers: ['gateway'],
});

/** Checks the structure of the uploaded file and adds it to the list. */
export const createBackupUpload = contract('sites.backups.create_upload', {
  http: 'POST /api/sites/:id/backups/upload',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  status: 201,
  takesFile: true,
  answer: 'custom',
  changes: ['backups'],
  input: z.object({ id, filename: nameIn('Choisissez un fichier .wpress à téléverser.'), key, size, sha256 }),
  output: LocalBackup,
  timeoutMs: 90_000,
});

const path = z.string().max(8_192, 'Ce chemin est trop long.').default('');
const partKind = oneOf(['file', 'table']).default('file');

/** An address that a browser opens without a bearer. */
export const BackupLink = z.object({ url: z.string().refine((url) => url.startsWith('/api/backups/files/')) });

/**
 * Creates a download link for a browser: it must be opened within a minute and is then valid for an hour, for this
 * archive, or for one file or table of it. Only the token's hash is stored.
 */
export const linkBackup = contract('sites.backups.link', {
  http: 'POST /api/sites/:id/backups/local/:filename/link',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { custom: BackupLink },
  input: z.object({ id, filename, path, kind: partKind }),
  output: z.object({ token: z.string() }),
  sealedAnswer: ['token'],
  timeoutMs: 25_000,
});

/** A range of a stored object, to be sent as a file. */
export const StoredPart = z.object({
  key,
  /** Size of the whole object; `sha256` covers the whole object too. */
  size,
  sha256,
  filename: z.string(),
  at: size,
  length: size,
  /** Checksum of the range, when known. */
  crc: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .nullable(),
});
export type StoredPart = z.infer<typeof StoredPart>;

export const openLink = contract('sites.backups.open_link', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** `user_id` is the user who created the link. */
  output: StoredPart.extend({ user_id: id }),
  callers: ['gateway'],
});

/** A file or folder of an archive, or a table of its database. */
export const ArchiveEntry = z.object({
  kind: z.enum(['folder', 'file', 'table']),
  name: z.string(),
  path: z.string(),
  size,
  /** The number of files below a folder, or of rows of a table when known. */
  count: z.int().nullable(),
  mtime: timestamp.nullable(),
});
export type ArchiveEntry = z.infer<typeof ArchiveEntry>;

export const ArchiveAbout = z.object({
  site_url: z.string().nullable(),
  wordpress: z.string().nullable(),
  php: z.string().nullable(),
  database: z.string().nullable(),
  plugins: z.int(),
  theme: z.string().nullable(),
  entries: z.int(),
  is_ours: z.boolean(),
});
export type ArchiveAbout = z.infer<typeof ArchiveAbout>;

const page = {
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
};

/** Lists a folder of a stored archive, or with `q` searches paths below it. Tables are listed in `database.sql`. */
export const listArchive = contract('sites.backups.list_archive', {
  http: 'GET /api/sites/:id/backups/local/:filename/entries',
  access: 'user',
  scope: 'read',
  grantRole: 'operator',
  input: z.object({ id, filename, path, q: z.string().max(200).default(''), ...page }),
  output: z.object({ about: ArchiveAbout, items: z.array(ArchiveEntry), total: z.int() }),
  timeoutMs: 25_000,
});

/** Locates one file of a stored archive, or one table of its database as SQL. */
export const locateInArchive = contract('sites.backups.locate', {
  http: 'GET /api/sites/:id/backups/local/:filename/content',
  access: 'user',
  scope: 'backup',
  grantRole: 'operator',
  answer: { custom: z.any() },
  input: z.object({ id, filename, path, kind: partKind }),
  output: StoredPart,
  timeoutMs: 25_000,
});

export const ArchiveDifference = z.object({
  path: z.string(),
  kind: z.enum(['file', 'table']),
  /** `unknown` means equal sizes with contents too large to compare. */
  is: z.enum(['added', 'removed', 'changed', 'unknown']),
  /** Sizes in the first and in the other archive. */
  before: size.nullable(),
  after: size.nullable(),
});
export type ArchiveDifference = z.infer<typeof ArchiveDifference>;

/** Lists the differences between an archive and `other`. */
export const compareArchives = contract('sites.backups.compare', {
  http: 'GET /api/sites/:id/backups/local/:filename/compare',
  access: 'user',
  scope: 'read',
  grantRole: 'operator',
  answer: 'custom',
  input: z.object({ id, filename, other: filename, ...page }),
  output: z.object({
    items: z.array(ArchiveDifference),
    total: z.int(),
    counts: z.object({ added: z.int(), removed: z.int(), changed: z.int(), unknown: z.int(), same: z.int() }),
  }),
  timeoutMs: 60_000,
});

/** The site and its content folder, when known, which determine the backup folder. */
const backupPlace = { site: SiteTarget, content: z.string().nullable() };

/** Input of the jobs `backups.create`, `.download`, `.import` and `.verify`. */
export const BackupInput = z.object({
  ...backupPlace,
  filename: z.string().regex(archiveName),
  exclude_cache: z.boolean().default(true),
  /** Where a verification reads the archive. */
  location: z.enum(['remote', 'local']).default('remote'),
  /** The stored archive, or the reserved place and maximum size of a download. */
  object: z
    .object({ key, size: size.nullable(), sha256: sha256.nullable(), made_at: timestamp.nullish() })
    .nullable()
    .default(null),
});
export type BackupInput = z.infer<typeof BackupInput>;

/** An archive in the backup folder of a host. */
export const RemoteBackup = z.object({ filename: z.string().max(400), size, mtime: z.int(), is_usable: z.boolean() });
export type RemoteBackup = z.infer<typeof RemoteBackup>;

export const listHostBackups = contract('agent.backups.look', {
  input: z.object({ ...backupPlace, access: SshAccess }),
  output: z.object({ folder: z.string(), items: z.array(RemoteBackup).max(2_000), free: size.nullable() }),
  callers: ['sites-svc'],
  timeoutMs: 20_000,
});

export const removeBackup = contract('agent.backups.remove', {
  input: z.object({ ...backupPlace, access: SshAccess, filename: z.string().regex(archiveName) }),
  output: z.object({}),
  callers: ['sites-svc'],
  timeoutMs: 20_000,
});

export const backupCodes = {
  noRoom: 'no_room',
  damaged: 'damaged_archive',
  exists: 'exists',
  gone: 'not_found',
  interrupted: 'interrupted',
  /** The site is restored except for some objects of the archive. */
  incomplete: 'incomplete',
} as const;
