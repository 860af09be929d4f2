import { release } from '@vigie/contracts/release';
import { KeyFile } from '@vigie/service-kit/keys';
import { schemas } from '../backup/catalogue';
import { keyPart, type Manifest, maxKeyBytes, objectPart, rowsPart } from '../backup/format';
import { ArchiveReader, type PartContent } from '../backup/read-archive';
import { services } from '../start/services';
import { Refusal, fr } from '../terminal';

export type VerifiedArchive = { manifest: Manifest; keys: ReadonlyMap<string, Buffer> };

/** Reads and verifies the whole archive before anything is changed. */
export async function verifyArchive(
  path: string,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<VerifiedArchive> {
  const reader = await ArchiveReader.open(path, passphrase, signal);
  try {
    const keyParts = new Map<string, Buffer>();
    for await (const part of reader.parts())
      if (part.name.startsWith('keys/')) keyParts.set(part.name, await readWhole(part));
    const { manifest } = reader;
    requireSupportedRelease(manifest);
    requireComplete(manifest);
    return { manifest, keys: new Map(services.map((name) => [name, readKeys(name, keyParts)])) };
  } finally {
    await reader.close();
  }
}

async function readWhole({ content }: PartContent): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of content) {
    size += bytes.length;
    if (size > maxKeyBytes) throw incomplete();
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function readKeys(name: (typeof services)[number], keyParts: ReadonlyMap<string, Buffer>): Buffer {
  const bytes = keyParts.get(keyPart(name));
  if (!bytes) throw incomplete();
  const { data } = KeyFile.safeParse(JSON.parse(bytes.toString()));
  if (data?.process !== name) throw incomplete();
  return bytes;
}

function requireSupportedRelease(manifest: Manifest): void {
  if (isNotNewer(manifest.release, release)) return;
  throw new Refusal(
    fr`Cette archive vient de Vigie ${manifest.release}, plus récente que celle-ci (${release}) : mettez celle-ci à jour, puis recommencez.`,
  );
}

/** Every table has its rows, and all rows belong to a table. */
function requireComplete(manifest: Manifest): void {
  const names = new Set(manifest.parts.map(({ name }) => name));
  const tables = manifest.schemas.flatMap(({ name, tables: own }) => own.map((table) => rowsPart(name, table.name)));
  const rows = [...names].filter((name) => name.startsWith('rows/'));
  const hasAllRows = tables.every((table) => names.has(table)) && rows.length === tables.length;
  const hasAllSchemas = schemas.every(({ name }) => manifest.schemas.some((schema) => schema.name === name));
  const hasUnknownMissing = manifest.missing.some((key) => !names.has(objectPart(key)));
  if (!hasAllRows || !hasAllSchemas || manifest.schemas.length !== schemas.length || hasUnknownMissing)
    throw incomplete();
}

export function isNotNewer(first: string, second: string): boolean {
  const [a, b] = [first, second].map((text) => text.slice(1).split('.').map(Number));
  const position = a?.findIndex((number, index) => number !== b?.[index]) ?? -1;
  return position === -1 || (a?.[position] ?? 0) < (b?.[position] ?? 0);
}

const incomplete = () =>
  new Refusal(fr`Cette archive n’est pas une sauvegarde complète de Vigie : rien n’a été touché.`);
