import type { FileStore } from '@vigie/files/file-store';
import type { Client } from 'pg';
import { setPortableFormats } from '../backup/catalogue';
import type { Manifest, Part } from '../backup/format';
import { ArchiveReader } from '../backup/read-archive';
import { Refusal, fr } from '../terminal';
import { RowLoader } from './load-rows';

type LoadDependencies = { client: Client; store: FileStore; signal: AbortSignal };

/** Loads the rows, and the objects that they name. Nothing uses them until the schemas are swapped. */
export async function loadArchive(
  reader: ArchiveReader,
  manifest: Manifest,
  dependencies: LoadDependencies,
): Promise<void> {
  const { client, store, signal } = dependencies;
  const parts = new Map(manifest.parts.map((part) => [part.name, part]));
  await setPortableFormats(client);
  await client.query('begin');
  const rows = new RowLoader(client, manifest);
  await rows.prepare();
  for await (const { name, content } of reader.parts()) {
    if (name.startsWith('rows/')) await rows.load(name, content);
    const part = parts.get(name);
    if (part && isIntactObject(name, manifest)) await storeObject(store, part, content);
  }
  if (JSON.stringify(reader.manifest) !== JSON.stringify(manifest))
    throw new Refusal(fr`L’archive a changé pendant qu’elle était lue : rien n’a été gardé.`);
  signal.throwIfAborted();
  await rows.finish();
  await rows.analyse();
  await client.query('commit');
}

/** Objects that were missing or damaged when the backup was made are skipped. */
const isIntactObject = (name: string, { missing }: Manifest) =>
  name.startsWith('objects/') && !missing.includes(name.slice('objects/'.length));

async function storeObject(store: FileStore, { name, size, sha256 }: Part, content: AsyncIterable<Buffer>) {
  const stored = await store.write(name.slice('objects/'.length), content, size);
  if (stored.size !== size || stored.sha256 !== sha256) throw new Error(`${name} was not stored as it was read`);
}

/** A restore into its original store has most objects already: each replaces itself, one at a time. */
export async function requireFreeSpace(store: FileStore, { parts }: Manifest): Promise<void> {
  const objects = parts.filter(({ name }) => name.startsWith('objects/'));
  try {
    await store.requireRoom(objects.reduce((sum, { size }) => sum + size, 0));
  } catch {
    let [missing, largest] = [0, 0];
    for (const part of objects) {
      if (await isStored(store, part)) largest = Math.max(largest, part.size);
      else missing += part.size;
    }
    await store.requireRoom(missing + largest);
  }
}

async function isStored(store: FileStore, { name, size }: Part): Promise<boolean> {
  const reader = await store.reader(name.slice('objects/'.length));
  await reader?.close();
  return reader?.size === size;
}
