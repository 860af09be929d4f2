import { AppError } from '@vigie/contracts/errors';
import { type Version } from '@vigie/wpress/header';
import { type ArchiveVerification, verifyArchive } from '@vigie/wpress/verify-archive';
import { type NewEntry, rawPathOf, writeArchive } from '@vigie/wpress/write-archive';

type ArchiveOptions = { files?: Record<string, string | Buffer>; about?: object; version?: Version; mtime?: number };

const defaultFiles = {
  'plugins/vitrine/vitrine.php': '<?php // Vitrine',
  'uploads/été/photo.jpg': Buffer.alloc(300_000, 'jpg'),
  'uploads/vide.txt': '',
};

export const defaultAbout = {
  SiteURL: 'https://exemple.fr',
  HomeURL: 'https://exemple.fr',
  WordPress: { Version: '6.9' },
  Database: { Version: '11.4', Prefix: 'wp_' },
  PHP: { Version: '8.3.1' },
  Plugins: ['vitrine/vitrine.php'],
  Stylesheet: 'voile',
};

/** A dump of tables with one row each. */
export const aDump = (rows: Record<string, string>) =>
  `-- Vigie\n${Object.entries(rows)
    .map(([name, row]) => aTable(name, row))
    .join('')}`;

export const aTable = (name: string, row: string) =>
  `DROP TABLE IF EXISTS \`SERVMASK_PREFIX_${name}\`;\n\nCREATE TABLE \`SERVMASK_PREFIX_${name}\` (\n  \`v\` text\n);\n\n` +
  `INSERT INTO \`SERVMASK_PREFIX_${name}\` VALUES ('${row}');\n\n`;

/** An archive in the official plugin's format. */
export async function anArchive({
  files = defaultFiles,
  about = defaultAbout,
  version = 1,
  mtime = 1_760_000_000,
}: ArchiveOptions = {}) {
  const allFiles = { 'package.json': JSON.stringify(about), ...files };
  const entries = Object.entries(allFiles).map(([path, content]): NewEntry => {
    const bytes = Buffer.from(content);
    return { rawPath: rawPathOf(path), size: bytes.length, mtime, content: () => [bytes] };
  });
  const parts: Uint8Array[] = [];
  for await (const part of writeArchive(entries, version)) parts.push(part);
  return Buffer.concat(parts);
}

/** Verifies an archive; returns the verification, or the code of its refusal. */
export async function verifyOrCode(bytes: Buffer): Promise<ArchiveVerification | { code: unknown }> {
  const read = async (offset: number, count: number) => Buffer.from(bytes.subarray(offset, offset + count));
  try {
    return await verifyArchive({ size: bytes.length, read });
  } catch (error) {
    if (!(error instanceof AppError) || typeof error.detail === 'string') throw error;
    return { code: error.detail.code };
  }
}
