import { release } from '@vigie/contracts/release';
import { type FileStore, ObjectFault } from '@vigie/files/file-store';
import { type Log, Refusal, fr } from '../start/console';
import { keyPart, objectPart, rowsPart } from './format';
import type { Snapshot, StoredObject } from './snapshot';
import type { ArchiveWriter } from './write-archive';

const mostNamed = 20;

/** Keys and rows of one moment, then the objects that they name. */
export async function backUp(writer: ArchiveWriter, snapshot: Snapshot, store: FileStore, log: Log): Promise<void> {
  const madeAt = new Date().toISOString();
  for (const [name, bytes] of snapshot.keys) await writer.part(keyPart(name), [bytes]);
  for (const schema of snapshot.schemas) {
    for (const table of schema.tables) {
      await writer.part(rowsPart(schema.name, table.name), snapshot.rows(schema.name, table));
    }
    log(fr`${schema.name} : ${schema.tables.length} tables copiées.`);
  }
  const objects = await snapshot.objects();
  await snapshot.close();
  const missing = await copyObjects(writer, objects, store);
  tellMissing(objects.length, missing, log);
  await writer.end({ release, made_at: madeAt, schemas: [...snapshot.schemas], missing });
}

async function copyObjects(
  writer: ArchiveWriter,
  objects: readonly StoredObject[],
  store: FileStore,
): Promise<string[]> {
  const missing: string[] = [];
  for (const object of objects) {
    const note = () => missing.push(object.key);
    await writer.part(objectPart(object.key), asFarAsItGoes(store.read(object.key, object), note));
  }
  return missing;
}

/** A store that is away ends the backup; one that is there without the object does not. */
async function* asFarAsItGoes(content: AsyncIterable<Buffer>, onFault: () => void): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    onFault();
  }
}

function tellMissing(all: number, missing: readonly string[], log: Log): void {
  if (all > 0 && missing.length === all)
    throw new Refusal(
      fr`Le stockage n’a aucun des ${all} fichiers que la base nomme : est-ce le bon (VIGIE_STORE) ? Rien n’a été gardé.`,
    );
  log(fr`Stockage : ${all - missing.length} fichiers copiés.`);
  if (missing.length === 0) return;
  log(fr`Manquent au stockage, ou n’y sont plus ce qu’ils étaient : ${missing.slice(0, mostNamed).join(', ')}`);
  if (missing.length > mostNamed) log(fr`… et ${missing.length - mostNamed} autres.`);
}
