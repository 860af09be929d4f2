import { release } from '@vigie/contracts/release';
import { type FileStore, ObjectFault } from '@vigie/files/file-store';
import { type Log, Refusal, counted, fr } from '../terminal';
import { keyPart, objectPart, rowsPart } from './format';
import type { Snapshot, StoredObject } from './snapshot';
import { untilAborted } from './until-aborted';
import type { ArchiveWriter } from './write-archive';

const maxNamed = 20;

type Means = { store: FileStore; log: Log; signal: AbortSignal };

/** Keys and rows of one moment, then the objects that they name. */
export async function backUp(writer: ArchiveWriter, snapshot: Snapshot, means: Means): Promise<void> {
  const { log, signal } = means;
  const madeAt = new Date().toISOString();
  for (const [name, bytes] of snapshot.keys) await writer.part(keyPart(name), [bytes]);
  for (const schema of snapshot.schemas) {
    for (const table of schema.tables) {
      await writer.part(rowsPart(schema.name, table.name), untilAborted(snapshot.rows(schema.name, table), signal));
    }
    log(fr`${schema.name} : ${counted(schema.tables.length, 'table copiée', 'tables copiées')}.`);
  }
  const objects = await snapshot.objects();
  await snapshot.close();
  const missing = await copyObjects(writer, objects, means);
  tellMissing(objects.length, missing, log);
  await writer.end({ release, made_at: madeAt, schemas: [...snapshot.schemas], missing });
}

async function copyObjects(
  writer: ArchiveWriter,
  objects: readonly StoredObject[],
  { store, signal }: Means,
): Promise<string[]> {
  const missing: string[] = [];
  for (const object of objects) {
    const note = () => missing.push(object.key);
    const content = untilAborted(store.read(object.key, object), signal);
    await writer.part(objectPart(object.key), asFarAsItGoes(content, note));
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
      fr`Le stockage n’a rien de ce que la base nomme (${counted(all, 'fichier', 'fichiers')}) : est-ce le bon (VIGIE_STORE) ? Rien n’a été gardé.`,
    );
  log(fr`Stockage : ${counted(all - missing.length, 'fichier copié', 'fichiers copiés')}.`);
  if (missing.length === 0) return;
  log(fr`Manquent au stockage, ou n’y sont plus ce qu’ils étaient : ${missing.slice(0, maxNamed).join(', ')}`);
  if (missing.length > maxNamed) log(fr`… et ${counted(missing.length - maxNamed, 'autre', 'autres')}.`);
}
