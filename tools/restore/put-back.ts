import type { FileStore } from '@vigie/files/file-store';
import type { Client } from 'pg';
import { speakPlainly } from '../backup/catalogue';
import type { Manifest, Part } from '../backup/format';
import { ArchiveReader } from '../backup/read-archive';
import { Refusal, fr } from '../terminal';
import { Rows } from './load-rows';

type Means = { client: Client; store: FileStore; signal: AbortSignal };

/** Rows, and the objects that they name: nothing of it counts until the place is the product's. */
export async function putBack(reader: ArchiveReader, manifest: Manifest, means: Means): Promise<void> {
  const { client, store, signal } = means;
  const parts = new Map(manifest.parts.map((part) => [part.name, part]));
  await speakPlainly(client);
  await client.query('begin');
  const rows = new Rows(client, manifest);
  await rows.begin();
  for await (const { name, content } of reader.parts()) {
    if (name.startsWith('rows/')) await rows.fill(name, content);
    const part = parts.get(name);
    if (part && isWanted(name, manifest)) await storeObject(store, part, content);
  }
  if (JSON.stringify(reader.manifest) !== JSON.stringify(manifest))
    throw new Refusal(fr`L’archive a changé pendant qu’elle était lue : rien n’a été gardé.`);
  signal.throwIfAborted();
  await rows.end();
  await rows.analyse();
  await client.query('commit');
}

/** What was damaged when it was copied is not put back as if it were whole. */
const isWanted = (name: string, { missing }: Manifest) =>
  name.startsWith('objects/') && !missing.includes(name.slice('objects/'.length));

async function storeObject(store: FileStore, { name, size, sha256 }: Part, content: AsyncIterable<Buffer>) {
  const stored = await store.write(name.slice('objects/'.length), content, size);
  if (stored.size !== size || stored.sha256 !== sha256)
    throw new Error(`${name} was stored otherwise than it was read`);
}

/** Whoever brings a backup back where it is from has most of its files already: each is replaced by itself. */
export async function requireRoom(store: FileStore, { parts }: Manifest): Promise<void> {
  const objects = parts.filter(({ name }) => name.startsWith('objects/'));
  try {
    await store.requireRoom(objects.reduce((sum, { size }) => sum + size, 0));
  } catch {
    let [missing, largest] = [0, 0];
    for (const part of objects) {
      if (await isThere(store, part)) largest = Math.max(largest, part.size);
      else missing += part.size;
    }
    await store.requireRoom(missing + largest);
  }
}

async function isThere(store: FileStore, { name, size }: Part): Promise<boolean> {
  const reader = await store.reader(name.slice('objects/'.length));
  await reader?.close();
  return reader?.size === size;
}
