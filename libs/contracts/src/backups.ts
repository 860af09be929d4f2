import { z } from 'zod';
import { contract } from './contract';
import { SshAccess } from './credentials';
import { JobTicket } from './jobs';
import { SiteToRead } from './site-checks';
import { id, oneOf, requiredText, searchText, timestamp } from './text';

/** A base name, safe on a command line, in a folder of the web and in an address. */
export const archiveName = /^(?![.-])[A-Za-z0-9._-]+\.wpress$/;
const longestName = 200;
/** Whether Vigie can do anything with an archive of that name: a host may have others. */
export const isUsableName = (name: string) => archiveName.test(name) && name.length <= longestName;
const nameIn = (empty: string) =>
  requiredText(empty, longestName)
    .refine((name) => name.trim() === '' || name.endsWith('.wpress'), { error: empty, abort: true })
    .refine(
      (name) => name.trim() === '' || archiveName.test(name),
      'Ce nom de sauvegarde n’est pas valide\u00a0: lettres, chiffres, points, tirets et soulignés, puis .wpress.',
    );
export const filename = nameIn('Choisissez un backup local.');

/** Where an archive of the official plugin lies too, below the folder of contents. */
export const backupsFolder = 'ai1wm-backups';
export const defaultStorage = `wp-content/${backupsFolder}`;

/** `Distant`: in the folder of its site. `Local`: in the store of Vigie. */
export const BackupLocation = z.enum(['Distant', 'Local']);
export type BackupLocation = z.infer<typeof BackupLocation>;
const location = oneOf(['remote', 'local']).default('remote');

/** What vouches for the content of an archive that was read whole: its own sums, those of Vigie, or its structure alone. */
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
  /** Below the root of its site. */
  storage: z.string(),
  location: BackupLocation,
  /** A name that no command may hold: shown, and left alone. */
  is_usable: z.boolean(),
  verified: Verification.nullable(),
});
export type Backup = z.infer<typeof Backup>;

export const LocalBackup = z.object({
  ...shared,
  createdAt: timestamp,
  created: timestamp,
  location: BackupLocation,
  /** Null where its site was deleted: it stays for 30 days then. */
  site_id: id.nullable(),
  site_name: z.string(),
  goes_at: timestamp.nullable(),
  sha256: z.string(),
  verified: Verification.nullable(),
});
export type LocalBackup = z.infer<typeof LocalBackup>;

export const readBackupsInfo = contract('sites.backups.info', {
  input: z.object({ id }),
  output: z.object({ remoteBackupsDir: z.string(), remoteTmpDir: z.string(), localBackupsDir: z.string() }),
  callers: ['gateway'],
});

/** Of this site: what its host has at this moment, and what the store has. */
export const listBackups = contract('sites.backups.list', {
  input: z.object({ id }),
  output: z.object({ items: z.array(Backup) }),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

/** Those of whoever asks, this site's first, then the newest. Without `limit`, everything. */
export const listLocalBackups = contract('sites.backups.list_local', {
  input: z.object({
    id,
    /** All words, in any order, whatever their accents and case: of its name and that of its site. */
    q: searchText(200).default(''),
    /** The one of this name. */
    filename: filename.optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(500).optional(),
  }),
  output: z.object({ items: z.array(LocalBackup), total: z.int() }),
  callers: ['gateway'],
});

/** Kind `backups.create`. */
export const createBackup = contract('sites.backups.create', {
  input: z.object({ id, exclude_cache: z.boolean().default(true) }),
  output: JobTicket,
  callers: ['gateway'],
});

/** From the host to the store: kind `backups.download`. */
export const downloadBackup = contract('sites.backups.download', {
  input: z.object({ id, filename }),
  output: JobTicket,
  callers: ['gateway'],
});

/** From the store to the host: kind `backups.import`. */
export const importBackup = contract('sites.backups.import', {
  input: z.object({ id, filename }),
  output: JobTicket,
  callers: ['gateway'],
});

/** Reads all of it against its sums: kind `backups.verify`. */
export const verifyBackup = contract('sites.backups.verify', {
  input: z.object({ id, filename, location }),
  output: JobTicket,
  callers: ['gateway'],
});

export const deleteBackup = contract('sites.backups.delete', {
  input: z.object({ id, filename, location }),
  output: z.object({}),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

const key = z.string().regex(/^[0-9a-f]{64}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(0);

/** Asked before the first byte of a file of at most `announced` bytes. */
export const beginBackupUpload = contract('sites.backups.begin_upload', {
  input: z.object({ id, filename: nameIn('Choisissez un fichier .wpress à téléverser.'), announced: size }),
  output: z.object({ key, most: size }),
  callers: ['gateway'],
});

/** The file is in the store: its structure is walked, and its row makes it one of the list. */
export const createBackupUpload = contract('sites.backups.create_upload', {
  input: z.object({ id, filename: nameIn('Choisissez un fichier .wpress à téléverser.'), key, size, sha256 }),
  output: LocalBackup,
  callers: ['gateway'],
  timeoutMs: 90_000,
});

const path = z.string().max(8_192, 'Ce chemin est trop long.').default('');
const partKind = oneOf(['file', 'table']).default('file');

/**
 * An address for a browser: opened within a minute it is good for an hour, for this file only, or for one file or table
 * of it. Only its hash is kept.
 */
export const linkBackup = contract('sites.backups.link', {
  input: z.object({ id, filename, path, kind: partKind }),
  output: z.object({ token: z.string() }),
  callers: ['gateway'],
  sealedAnswer: ['token'],
  timeoutMs: 25_000,
});

/** Bytes of an object of the store, as a file of its own. */
export const StoredPart = z.object({
  key,
  /** Of the whole object, as its sum. */
  size,
  sha256,
  filename: z.string(),
  at: size,
  length: size,
  /** Of these bytes, where that is known. */
  crc: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .nullable(),
});
export type StoredPart = z.infer<typeof StoredPart>;

export const openLink = contract('sites.backups.open_link', {
  input: z.object({ token_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** And whose link it is. */
  output: StoredPart.extend({ user_id: id }),
  callers: ['gateway'],
});

/** A file, a folder with what is below it, or a table of the database. */
export const ArchiveEntry = z.object({
  kind: z.enum(['folder', 'file', 'table']),
  name: z.string(),
  path: z.string(),
  size,
  /** Of a folder: how many files are below it. Of a table: its rows, where they are known. */
  count: z.int().nullable(),
  mtime: timestamp.nullable(),
});
export type ArchiveEntry = z.infer<typeof ArchiveEntry>;

/** Of the site that was packed, as the archive says. */
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

/** What is in a folder of an archive of the store, or below it and has `q` in its path; its tables lie in `database.sql`. */
export const listArchive = contract('sites.backups.list_archive', {
  input: z.object({ id, filename, path, q: z.string().max(200).default(''), ...page }),
  output: z.object({ about: ArchiveAbout, items: z.array(ArchiveEntry), total: z.int() }),
  callers: ['gateway'],
  timeoutMs: 25_000,
});

/** One file of an archive of the store, or one table of its database as SQL. */
export const locateInArchive = contract('sites.backups.locate', {
  input: z.object({ id, filename, path, kind: partKind }),
  output: StoredPart,
  callers: ['gateway'],
  timeoutMs: 25_000,
});

export const ArchiveDifference = z.object({
  path: z.string(),
  kind: z.enum(['file', 'table']),
  /** `unknown`: of one length, and too much to be compared. */
  is: z.enum(['added', 'removed', 'changed', 'unknown']),
  /** In the first of the two, and in the other one. */
  before: size.nullable(),
  after: size.nullable(),
});
export type ArchiveDifference = z.infer<typeof ArchiveDifference>;

/** What the archive `other` has that this one has not, or has otherwise. */
export const compareArchives = contract('sites.backups.compare', {
  input: z.object({ id, filename, other: filename, ...page }),
  output: z.object({
    items: z.array(ArchiveDifference),
    total: z.int(),
    counts: z.object({ added: z.int(), removed: z.int(), changed: z.int(), unknown: z.int(), same: z.int() }),
  }),
  callers: ['gateway'],
  timeoutMs: 60_000,
});

/** Where the folder of backups of a site is: below its contents, where these are known. */
const Place = { site: SiteToRead, content: z.string().nullable() };

/** What the agents are given: kinds `backups.create`, `.download`, `.import` and `.verify`. */
export const BackupInput = z.object({
  ...Place,
  filename: z.string().regex(archiveName),
  exclude_cache: z.boolean().default(true),
  /** Where it is verified. */
  location: z.enum(['remote', 'local']).default('remote'),
  /** In the store: what is there, or where a download goes and how much of it may come. */
  object: z
    .object({ key, size: size.nullable(), sha256: sha256.nullable(), made_at: timestamp.nullish() })
    .nullable()
    .default(null),
});
export type BackupInput = z.infer<typeof BackupInput>;

/** The result of `backups.create`: what the endpoint answers too. */
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
  /** What could not be read, and some of it. */
  missed: z.int(),
  examples: z.array(z.string()),
});
export type CreatedBackup = z.infer<typeof CreatedBackup>;

/** The result of `backups.download`. */
export const DownloadedBackup = z.object({
  local: z.string(),
  size,
  sha256,
  created: timestamp,
});
export type DownloadedBackup = z.infer<typeof DownloadedBackup>;

/** The result of `backups.import`. */
export const ImportedBackup = z.object({ filename: z.string(), size, storage: z.string() });
export type ImportedBackup = z.infer<typeof ImportedBackup>;

/** The result of `backups.verify`. */
export const VerifiedBackup = Verification.extend({ filename: z.string(), size });
export type VerifiedBackup = z.infer<typeof VerifiedBackup>;

/** A file of the folder of backups as its host tells of it. */
export const RemoteBackup = z.object({ filename: z.string().max(400), size, mtime: z.int(), is_usable: z.boolean() });
export type RemoteBackup = z.infer<typeof RemoteBackup>;

export const listHostBackups = contract('agent.backups.look', {
  input: z.object({ ...Place, access: SshAccess }),
  output: z.object({ folder: z.string(), items: z.array(RemoteBackup).max(2_000), free: size.nullable() }),
  callers: ['sites-svc'],
  timeoutMs: 20_000,
});

export const removeBackup = contract('agent.backups.remove', {
  input: z.object({ ...Place, access: SshAccess, filename: z.string().regex(archiveName) }),
  output: z.object({}),
  callers: ['sites-svc'],
  timeoutMs: 20_000,
});

/** Codes of why a job on a backup failed, for whoever asked and for the screens. */
export const backupCodes = {
  noRoom: 'no_room',
  damaged: 'damaged_archive',
  exists: 'exists',
  gone: 'not_found',
  interrupted: 'interrupted',
  /** The site is restored, and something of the archive could not be made again there. */
  incomplete: 'incomplete',
} as const;
