import { release } from '@vigie/contracts/release';
import { type FileStore, ObjectFault } from '@vigie/files/file-store';
import { type Log, Refusal, formatCount, fr } from '../terminal';
import { keyPart, objectPart, rowsPart } from './format';
import type { Snapshot, StoredObject } from './snapshot';
import type { ArchiveWriter } from './write-archive';

const maxListed = 20;

type Dependencies = { store: FileStore; log: Log; signal: AbortSignal };

/** Writes the keys and rows of one snapshot, then the stored objects that the rows name. */
export async function backUp(writer: ArchiveWriter, snapshot: Snapshot, dependencies: Dependencies): Promise<void> {
  const { log, signal } = dependencies;
  const madeAt = new Date().toISOString();
  for (const [name, bytes] of snapshot.keys) await writer.writePart(keyPart(name), [bytes]);
  for (const schema of snapshot.schemas) {
    for (const table of schema.tables) {
      await writer.writePart(
        rowsPart(schema.name, table.name),
        untilAborted(snapshot.rows(schema.name, table), signal),
      );
    }
    log(fr`${schema.name} : ${formatCount(schema.tables.length, 'table copiée', 'tables copiées')}.`);
  }
  const objects = await snapshot.objects();
  await snapshot.close();
  const missing = await copyObjects(writer, objects, dependencies);
  reportMissing(objects.length, missing, log);
  await writer.end({ release, made_at: madeAt, schemas: [...snapshot.schemas], missing });
}

async function copyObjects(
  writer: ArchiveWriter,
  objects: readonly StoredObject[],
  { store, signal }: Dependencies,
): Promise<string[]> {
  const missing: string[] = [];
  for (const object of objects) {
    const noteMissing = () => missing.push(object.key);
    const content = untilAborted(store.read(object.key, object), signal);
    await writer.writePart(objectPart(object.key), readUntilFault(content, noteMissing));
  }
  return missing;
}

/** An unreachable store ends the backup; a store that lacks the object does not. */
async function* readUntilFault(content: AsyncIterable<Buffer>, onFault: () => void): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    onFault();
  }
}

function reportMissing(total: number, missing: readonly string[], log: Log): void {
  if (total > 0 && missing.length === total)
    throw new Refusal(
      fr`Le stockage n’a rien de ce que la base nomme (${formatCount(total, 'fichier', 'fichiers')}) : est-ce le bon (VIGIE_STORE) ? Rien n’a été gardé.`,
    );
  log(fr`Stockage : ${formatCount(total - missing.length, 'fichier copié', 'fichiers copiés')}.`);
  if (missing.length === 0) return;
  log(fr`Manquent au stockage, ou n’y sont plus ce qu’ils étaient : ${missing.slice(0, maxListed).join(', ')}`);
  if (missing.length > maxListed) log(fr`… et ${formatCount(missing.length - maxListed, 'autre', 'autres')}.`);
}

/** Passes the pieces on until `signal` fires, even while it waits for the next one. */
export async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const iterator = content[Symbol.asyncIterator]();
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      void iterator
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    // A source that hangs would not answer `return` either, so an aborted reader does not wait for it.
    const closed = iterator.return?.().catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}
