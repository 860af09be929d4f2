import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { claim, release } from '../lock.mjs';
import { writeWhole } from '../start/whole-file';
import { type Log, Refusal, fr } from '../terminal';
import { type KeyFiles, type Write, giveOpeners, handOutSealers, kidsOf, readKeyFiles, retireKeys } from './rings';

/** Holds no secret: each new private key is in the file of its process and nowhere else. */
const Note = z.object({
  /** The keys that go. */
  retired: z.array(z.string()).min(1),
  /** The last that the operator was asked to carry to the processes, where a rotation waits for that. */
  asked: z.enum(['nothing', 'private', 'public']),
});
type Note = z.infer<typeof Note>;

export type Rotation = {
  folder: string;
  /** The processes read copies of these files, which the operator must carry to them: one step a run. */
  isCarried: boolean;
  /** Resolves to whether nothing is left that a retired key opens; throws when that cannot be known. */
  isResealed: (retired: ReadonlySet<string>, files: KeyFiles) => Promise<boolean>;
  log: Log;
  write?: Write;
};

/**
 * Goes on from whatever the files and the note say is done, to the end or to where others must act first; true at the
 * end. All can open with a new key before anybody seals with it, and nobody forgets an old one before nothing needs it.
 */
export async function rotate(rotation: Rotation): Promise<boolean> {
  const { folder } = rotation;
  readKeyFiles(folder);
  const lock = join(folder, 'rotation.lock');
  if (claim(lock)) throw new Refusal(fr`Une autre rotation est en cours dans ${folder}.`);
  try {
    return await goOn(rotation);
  } finally {
    release(lock);
  }
}

async function goOn({ folder, isCarried, isResealed, log, write = writeWhole }: Rotation): Promise<boolean> {
  const file = join(folder, 'rotation.json');
  const note = readNote(file) ?? begin(folder, file, write);
  const retired = new Set(note.retired);
  // Told before it is noted: an interruption between the two tells it twice.
  const ask = (what: Note['asked'], sentence: string) => {
    log(sentence);
    write(file, JSON.stringify({ ...note, asked: what }));
    return false;
  };
  const given = giveOpeners(folder, retired, write);
  if (given > 0) log(fr`Chaque processus a sa nouvelle clé privée (${given} fichiers écrits dans ${folder}).`);
  if (isCarried && (given > 0 || note.asked === 'nothing')) return ask('private', carryPrivate);
  const handed = handOutSealers(folder, write);
  if (handed > 0) log(fr`Tous scellent désormais avec les nouvelles clés (${handed} fichiers écrits).`);
  if (isCarried && (handed > 0 || note.asked === 'private')) return ask('public', carryPublic);
  if (!(await isResealed(retired, readKeyFiles(folder)))) return false;
  const cleared = retireKeys(folder, retired, write);
  log(fr`Plus rien ne s’ouvre avec les anciennes clés : elles sont effacées (${cleared} fichiers écrits).`);
  log(isCarried ? carryLast : keepCopy);
  rmSync(file);
  return true;
}

function begin(folder: string, file: string, write: Write): Note {
  const note: Note = { retired: [...new Set(kidsOf(readKeyFiles(folder)))], asked: 'nothing' };
  write(file, JSON.stringify(note));
  return note;
}

function readNote(file: string): Note | undefined {
  if (!existsSync(file)) return undefined;
  const { data } = Note.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (data) return data;
  throw new Refusal(fr`${file} n’est pas la note d’une rotation de cette version de Vigie.`);
}

const again = fr`relancez la même commande. Les processus relisent leur fichier d’eux-mêmes, sans redémarrer.`;
const carryPrivate = fr`Étape 1 sur 3 : portez à chaque processus son fichier, qui contient sa nouvelle clé privée. Quand tous l’ont, et pas avant, ${again}`;
const carryPublic = fr`Étape 2 sur 3 : portez de nouveau à chaque processus son fichier, qui contient les nouvelles clés publiques ; puis ${again}`;
const keepCopy = fr`La rotation est terminée. Gardez une copie sûre de ces clés ; une sauvegarde de la base d’avant ne s’ouvre qu’avec les anciennes.`;
const carryLast = fr`Étape 3 sur 3 : portez une dernière fois à chaque processus son fichier, d’où les anciennes clés ont disparu. ${keepCopy}`;
