import { changeCodes } from '@vigie/contracts/change-codes';
import type { Package } from '@vigie/contracts/changes';
import type { JobError } from '@vigie/contracts/jobs';
import type { FileStore } from '@vigie/files/file-store';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { upload } from '@vigie/ssh/transfer';
import { countBytes, isDiskFull } from '../operations/sent-bytes';
import script from './package.sh';

type SendOptions = {
  package: Package;
  /** The path under which the operation expects the package. */
  path: string;
  /** Names the part file; it differs for each worker, so that a slow one cannot write to another's part. */
  name: string;
  signal: AbortSignal;
  onPart: (bytes: number) => void;
};

/** Sends a package from the store to a host, where it gets its name once complete. Returns why it cannot be there. */
export async function sendPackage(
  connection: Connection,
  store: FileStore,
  { package: { key, size, sha256 }, path, name, signal, onPart }: SendOptions,
): Promise<JobError | undefined> {
  const stored = await store.reader(key);
  if (!stored) return missing;
  await stored.close();
  const slash = path.lastIndexOf('/');
  const part = `${path.slice(0, slash)}/.${path.slice(slash + 1)}.${name}`;
  const runPhase = (phase: string) => run(connection, [phase, path, part, String(size), sha256], signal);
  if ((await runPhase('begin')) === 'full') return noRoom(size);
  try {
    const sent = await upload(connection, part, countBytes(store.read(key, { size, sha256 }), onPart), { signal });
    if (sent.sha256 === sha256 && (await runPhase('end')) === 'whole') return undefined;
    throw new SshFailure({ kind: 'changed-file', detail: `${sent.bytes} / ${size}` });
  } catch (error) {
    if (error instanceof SshFailure && isDiskFull(error)) return noRoom(size);
    throw error;
  }
}

/** Removes a package and its part files. */
export async function removePackage(connection: Connection, path: string, signal: AbortSignal): Promise<void> {
  await run(connection, ['remove', path, '', '', ''], signal);
}

async function run(connection: Connection, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { outcome, stdout, stderr } = await runScript(connection, script, {
    args,
    signal,
    limits: { totalMs: 120_000 },
    name: 'package.sh',
  });
  if (outcome === 'succeeded') return stdout.bytes.toString().trim();
  throw new SshFailure({ kind: 'changed-file', detail: stderr.bytes.toString() });
}

const missing: JobError = {
  message: 'L’archive n’est plus parmi les téléversements\u00a0: rien n’a été modifié.',
  remedy: 'Téléversez-la de nouveau, puis relancez l’installation.',
  code: 'not_found',
};

const noRoom = (size: number): JobError => ({
  message: `Il n’y a pas assez de place sur le serveur pour recevoir l’archive (${Math.ceil(size / 1_048_576).toLocaleString('fr-FR')}\u00a0Mo)\u00a0: rien n’a été modifié.`,
  remedy: 'Libérez de l’espace disque sur le serveur, puis relancez l’installation.',
  code: changeCodes.noRoom,
});
