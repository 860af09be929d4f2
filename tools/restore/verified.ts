import { release } from '@vigie/contracts/release';
import { KeyFile } from '@vigie/service-kit/keys';
import { schemas } from '../backup/catalogue';
import { keyPart, type Manifest, maxKeyBytes, objectPart, rowsPart } from '../backup/format';
import { ArchiveReader, type Content } from '../backup/read-archive';
import { services } from '../start/services';
import { Refusal, fr } from '../terminal';

export type Verified = { manifest: Manifest; keys: ReadonlyMap<string, Buffer> };

/** Reads the whole archive before anything is touched. */
export async function verifyArchive(
  path: string,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<Verified> {
  const reader = await ArchiveReader.open(path, passphrase, signal);
  try {
    const kept = new Map<string, Buffer>();
    for await (const part of reader.parts()) if (part.name.startsWith('keys/')) kept.set(part.name, await whole(part));
    const { manifest } = reader;
    requireKnown(manifest);
    requireComplete(manifest);
    return { manifest, keys: new Map(services.map((name) => [name, keysOf(name, kept)])) };
  } finally {
    await reader.close();
  }
}

async function whole({ content }: Content): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of content) {
    size += bytes.length;
    if (size > maxKeyBytes) throw foreign();
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function keysOf(name: (typeof services)[number], kept: ReadonlyMap<string, Buffer>): Buffer {
  const bytes = kept.get(keyPart(name));
  if (!bytes) throw foreign();
  const { data } = KeyFile.safeParse(JSON.parse(bytes.toString()));
  if (data?.process !== name) throw foreign();
  return bytes;
}

function requireKnown(manifest: Manifest): void {
  if (isAtMost(manifest.release, release)) return;
  throw new Refusal(
    fr`Cette archive vient de Vigie ${manifest.release}, plus récente que celle-ci (${release}) : mettez celle-ci à jour, puis recommencez.`,
  );
}

/** Each table has its rows, and no rows are of none. */
function requireComplete(manifest: Manifest): void {
  const names = new Set(manifest.parts.map(({ name }) => name));
  const tables = manifest.schemas.flatMap(({ name, tables: own }) => own.map((table) => rowsPart(name, table.name)));
  const rows = [...names].filter((name) => name.startsWith('rows/'));
  const isWhole = tables.every((table) => names.has(table)) && rows.length === tables.length;
  const isOurs = schemas.every(({ name }) => manifest.schemas.some((schema) => schema.name === name));
  const isLying = manifest.missing.some((key) => !names.has(objectPart(key)));
  if (!isWhole || !isOurs || manifest.schemas.length !== schemas.length || isLying) throw foreign();
}

export function isAtMost(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.slice(1).split('.').map(Number));
  const at = a?.findIndex((number, index) => number !== b?.[index]) ?? -1;
  return at === -1 || (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

const foreign = () => new Refusal(fr`Cette archive n’est pas une sauvegarde complète de Vigie : rien n’a été touché.`);
