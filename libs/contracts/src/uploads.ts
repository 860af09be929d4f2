import { z } from 'zod';
import { contract } from './contract';
import { id, offset, oneOf, searchText, timestamp } from './text';

export const PackageKind = z.enum(['plugin', 'theme']);
export type PackageKind = z.infer<typeof PackageKind>;

export const maxUploadBytes = 512 * 1024 * 1024;

/** A stored archive of a plugin or theme, for installation on sites. */
export const Upload = z.object({
  id,
  filename: z.string(),
  type: PackageKind,
  /** In bytes. */
  size: z.int(),
  slug: z.string(),
  /** Null when the archive names none. */
  version: z.string().nullable(),
  name: z.string(),
  requires: z.object({ wp: z.string().nullable(), php: z.string().nullable() }),
  createdAt: timestamp,
  sha256: z.string(),
});
export type Upload = z.infer<typeof Upload>;

/** The name is part of a URL, where one character may take twelve. */
const maxEncodedLength = 480;
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

const filename = z
  .string()
  .transform((name) => (isWhole(name) ? name.normalize('NFC') : name))
  .refine(
    (name) => isWhole(name) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/u.test(name) && !name.startsWith('.'),
    'Ce nom de fichier contient un caractère interdit\u00a0: renommez-le.',
  )
  .refine(
    (name) => !isWhole(name) || encodeURIComponent(name).length <= maxEncodedLength,
    'Ce nom de fichier est trop long\u00a0: raccourcissez-le.',
  );
const zipName = filename.refine(
  (name) => /.\.zip$/i.test(name),
  'Seules les archives .zip sont acceptées\u00a0: choisissez un fichier .zip.',
);

const replace = oneOf(['0', '1']).default('0');
const key = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(0).max(maxUploadBytes);

/** Lists the newest first. Lists everything without `limit`. */
export const listUploads = contract('sites.uploads.list', {
  http: 'GET /api/uploads',
  access: 'user',
  scope: 'read',
  answer: 'list',
  reads: ['uploads'],
  input: z.object({
    /** Words of the names and the type, in any order; accents and case are ignored. */
    q: searchText(200).default(''),
    type: oneOf(PackageKind.options).optional(),
    slug: searchText(200).optional(),
    offset,
    limit: z.coerce.number().int().min(1).max(500).optional(),
  }),
  output: z.object({ items: z.array(Upload), total: z.int() }),
});

/** Before an upload of at most `announced` bytes, checks permission and returns its key and maximum size. */
export const beginUpload = contract('sites.uploads.begin', {
  input: z.object({ type: PackageKind, filename: zipName, replace, announced: z.int().min(0) }),
  output: z.object({ key, most: size }),
  callers: ['gateway'],
});

/** Checks the structure of the uploaded archive and adds it to the list. */
export const createUpload = contract('sites.uploads.create', {
  http: { 'POST /api/uploads/plugins': { type: 'plugin' }, 'POST /api/uploads/themes': { type: 'theme' } },
  access: 'user',
  scope: 'update',
  status: 201,
  takesFile: true,
  answer: 'custom',
  changes: ['uploads'],
  input: z.object({
    type: PackageKind,
    filename: zipName,
    replace,
    key,
    size,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  output: Upload,
  timeoutMs: 90_000,
});

/** `id` chooses between files of the same name, which admin mode can show. */
export const deleteUpload = contract('sites.uploads.delete', {
  http: {
    'DELETE /api/uploads/plugins/:filename': { type: 'plugin' },
    'DELETE /api/uploads/themes/:filename': { type: 'theme' },
  },
  access: 'user',
  scope: 'update',
  changes: ['uploads'],
  input: z.object({ type: PackageKind, filename, id: id.optional() }),
  output: z.object({}),
});
