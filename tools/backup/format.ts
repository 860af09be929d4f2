import { z } from 'zod';

/**
 * An archive is a first line, a line of JSON, and frames: a letter, a length, as many bytes and a tag of 16 bytes. Parts
 * are written before their size is known; the manifest, which lists them all, comes last.
 */
export const firstLine = 'vigie-backup 1\n';

/** `salt` derives the key from the passphrase; it is null in a plain archive. */
export const Header = z.strictObject({
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
});
export type Header = z.infer<typeof Header>;

export const maxHeaderBytes = 256;
export const maxFrameBytes = 1_048_576;
export const headBytes = 5;
export const tagBytes = 16;
/** The limits of what is held in memory: the keys of one process, and the manifest. */
export const maxKeyBytes = 1_048_576;
export const maxManifestBytes = 256 * 1_048_576;

/** P begins a part, D holds its data, M holds data of the manifest, and Z ends the archive. */
export const letters = ['P', 'D', 'M', 'Z'] as const;
export type Letter = (typeof letters)[number];

const sqlName = /^[a-z_][a-z0-9_]{0,62}$/;
const SqlName = z.string().regex(sqlName);
const PartName = z
  .string()
  .regex(/^(keys\/[a-z-]{1,40}|rows\/[a-z_0-9]{1,63}\.[a-z_0-9]{1,63}|objects\/[0-9a-f]{64})$/);
const size = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Part = z.strictObject({ name: PartName, size, sha256 });
export type Part = z.infer<typeof Part>;

export const Schema = z.strictObject({
  name: SqlName,
  /** In the order in which they ran. */
  migrations: z.array(z.string().regex(/^[A-Za-z]+\d{13}$/)).min(1),
  /** The stored columns, without generated ones. */
  tables: z.array(z.strictObject({ name: SqlName, columns: z.array(SqlName).min(1) })),
  sequences: z.array(
    z.strictObject({ name: SqlName, value: z.string().regex(/^-?\d{1,19}$/), is_called: z.boolean() }),
  ),
});
export type Schema = z.infer<typeof Schema>;

export const Manifest = z.strictObject({
  release: z.string().regex(/^v\d{1,4}\.\d{1,4}\.\d{1,6}$/),
  made_at: z.iso.datetime(),
  schemas: z.array(Schema).min(1),
  parts: z.array(Part),
  /** Objects that a row names, and that the store lacks or has with another content. */
  missing: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
});
export type Manifest = z.infer<typeof Manifest>;

export const keyPart = (process: string) => `keys/${process}`;
export const rowsPart = (schema: string, table: string) => `rows/${schema}.${table}`;
export const objectPart = (key: string) => `objects/${key}`;
