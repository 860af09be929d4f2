import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { claim, release } from '../lock.mjs';
import { writeWhole } from '../start/whole-file';
import { type Log, Refusal, fr } from '../terminal';
import { type KeyFiles, type Write, addPrivateKeys, activateNewKeys, kidsOf, readKeyFiles, retireKeys } from './rings';

/** The state of a rotation. It holds no secret: each new private key is only in the file of its process. */
const RotationNote = z.object({
  retired: z.array(z.string()).min(1),
  /** The files that the operator was last asked to copy to the processes. */
  asked: z.enum(['nothing', 'private', 'public']),
});
type RotationNote = z.infer<typeof RotationNote>;

export type Rotation = {
  folder: string;
  /** The processes read copies of these files, which the operator must update: one step per run. */
  isCopied: boolean;
  /** Resolves to whether no sealed value needs a retired key any more; throws if it cannot find out. */
  isResealed: (retired: ReadonlySet<string>, files: KeyFiles) => Promise<boolean>;
  log: Log;
  write?: Write;
};

/**
 * Continues from the state of the files and the note, to the end or to the next step of the operator; resolves to whether
 * it is finished. All processes can open with a new key before any of them seals with it, and keep an old key until no
 * value needs it.
 */
export async function rotate(rotation: Rotation): Promise<boolean> {
  const { folder } = rotation;
  readKeyFiles(folder);
  const lock = join(folder, 'rotation.lock');
  if (claim(lock)) throw new Refusal(fr`Une autre rotation est en cours dans ${folder}.`);
  try {
    return await continueRotation(rotation);
  } finally {
    release(lock);
  }
}

async function continueRotation({ folder, isCopied, isResealed, log, write = writeWhole }: Rotation): Promise<boolean> {
  const file = join(folder, 'rotation.json');
  const note = readNote(file) ?? startRotation(folder, file, write);
  const retired = new Set(note.retired);
  // Printed before it is recorded: an interruption between the two must not hide the instruction.
  const askOperator = (askedFor: RotationNote['asked'], sentence: string) => {
    log(sentence);
    write(file, JSON.stringify({ ...note, asked: askedFor }));
    return false;
  };
  const addedCount = addPrivateKeys(folder, retired, write);
  if (addedCount > 0)
    log(fr`Chaque processus a sa nouvelle clé privée (${addedCount} fichiers écrits dans ${folder}).`);
  if (isCopied && (addedCount > 0 || note.asked === 'nothing')) return askOperator('private', copyPrivateKeys);
  const activatedCount = activateNewKeys(folder, write);
  if (activatedCount > 0) log(fr`Tous scellent désormais avec les nouvelles clés (${activatedCount} fichiers écrits).`);
  if (isCopied && (activatedCount > 0 || note.asked === 'private')) return askOperator('public', copyPublicKeys);
  if (!(await isResealed(retired, readKeyFiles(folder)))) return false;
  const retiredCount = retireKeys(folder, retired, write);
  log(fr`Plus rien ne s’ouvre avec les anciennes clés : elles sont effacées (${retiredCount} fichiers écrits).`);
  log(isCopied ? copyLastFiles : keepCopy);
  rmSync(file);
  return true;
}

function startRotation(folder: string, file: string, write: Write): RotationNote {
  const note: RotationNote = { retired: [...new Set(kidsOf(readKeyFiles(folder)))], asked: 'nothing' };
  write(file, JSON.stringify(note));
  return note;
}

function readNote(file: string): RotationNote | undefined {
  if (!existsSync(file)) return undefined;
  const { data } = RotationNote.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (data) return data;
  throw new Refusal(fr`${file} n’est pas la note d’une rotation de cette version de Vigie.`);
}

const runAgain = fr`relancez la même commande. Les processus relisent leur fichier d’eux-mêmes, sans redémarrer.`;
const copyPrivateKeys = fr`Étape 1 sur 3 : portez à chaque processus son fichier, qui contient sa nouvelle clé privée. Quand tous l’ont, et pas avant, ${runAgain}`;
const copyPublicKeys = fr`Étape 2 sur 3 : portez de nouveau à chaque processus son fichier, qui contient les nouvelles clés publiques ; puis ${runAgain}`;
const keepCopy = fr`La rotation est terminée. Gardez une copie sûre de ces clés ; une sauvegarde de la base d’avant ne s’ouvre qu’avec les anciennes.`;
const copyLastFiles = fr`Étape 3 sur 3 : portez une dernière fois à chaque processus son fichier, d’où les anciennes clés ont disparu. ${keepCopy}`;
