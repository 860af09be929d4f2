import { archiveName, backupsFolder } from '@vigie/contracts/backups';
import { z } from 'zod';
import { cleanText } from './clean';
import { type Host, SiteFailure } from './host';
import { refuse } from './inspect';
import { checkedUuid } from './operation-script';
import backups from './php/backups.php';
import folder from './php/backups-folder.php';
import say from './php/answer.php';
import { phpProgram, runPhp, sentData, streamProgram } from './run-php';

const program = phpProgram(say, folder, backups);
const moving = streamProgram(say, folder, backups);
const keptBytes = 4_194_304;
const quickSeconds = 60;
/** For archives that are hashed or streamed whole. */
const slowSeconds = 6 * 3_600;

/** The site whose archives are managed, and the PHP that runs as its owner. No code of the site runs. */
export type BackupPlace = { path: string; content: string | null; php: string };

const contentOf = ({ path, content }: Pick<BackupPlace, 'path' | 'content'>) =>
  (content ?? `${path}/wp-content`).replace(/\/+$/, '');

/** The backups folder as people read it: relative to the site's root where possible. */
export function storageOf(place: Pick<BackupPlace, 'path' | 'content'>): string {
  const content = contentOf(place);
  const root = `${place.path.replace(/\/+$/, '')}/`;
  return `${content.startsWith(root) ? content.slice(root.length) : content}/${backupsFolder}`;
}

type Order = {
  action: 'look' | 'facts' | 'prepare' | 'place' | 'drop' | 'remove' | 'read' | 'write';
  name?: string;
  operation?: string;
  hashed?: boolean;
  size?: number;
  sha256?: string;
  /** Modification time of the archive, in seconds. */
  mtime?: number;
  from?: number;
  length?: number;
};

function dataOf(place: BackupPlace, { name = 'none.wpress', operation = 'none', ...order }: Order) {
  if (!archiveName.test(name)) throw new Error('not the name of an archive');
  const by = operation === 'none' ? operation : checkedUuid(operation);
  return { content: contentOf(place), name, operation: by, ...order };
}

const whole = z.int().min(0);
const text = z.string().max(8_192);
const Answer = z.discriminatedUnion('is', [
  z.object({ is: z.literal('folder'), path: text, free: whole.nullable() }),
  z.object({ is: z.literal('files'), files: z.array(z.object({ name: text, size: whole, mtime: whole })).max(200) }),
  z.object({ is: z.literal('facts'), size: whole, mtime: whole, sha256: z.string().nullable() }),
  z.object({ is: z.literal('full'), needed: whole, free: whole }),
  z.object({ is: z.literal('ready'), have: whole }),
  z.object({ is: z.enum(['denied', 'link']), path: text }),
  z.object({ is: z.enum(['absent', 'unreadable', 'placed', 'exists', 'differs', 'removed']) }),
]);
type Answer = z.infer<typeof Answer>;

type Way = { signal?: AbortSignal; seconds?: number };

async function ask(host: Host, place: BackupPlace, order: Order, way: Way): Promise<Answer[]> {
  const { signal, seconds = quickSeconds } = way;
  const given = { name: 'backups.php', php: place.php, site: place.path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, program, dataOf(place, order), given);
  refuse(run);
  const answers = run.answers.flatMap((answer) => Answer.safeParse(answer).data ?? []);
  const [first] = answers;
  if (run.as === 'no-wordpress') throw noWordPress(place.path);
  if (!first) throw noAnswer(run.code, run.said);
  if (first.is === 'link') throw linked(first.path);
  if (first.is === 'denied' && first.path !== '') throw denied(first.path);
  return answers;
}

export type ArchiveFile = { name: string; size: number; mtime: number };

/** Lists the archives of the site, newest first. */
export async function listArchives(host: Host, place: BackupPlace, way: Way = {}) {
  const answers = await ask(host, place, { action: 'look' }, way);
  const [first] = answers;
  const files = answers.flatMap((answer): ArchiveFile[] => (answer.is === 'files' ? answer.files : []));
  const { path, free } = first?.is === 'folder' ? first : { path: '', free: null };
  return { folder: cleanText(path, 4_096), free, files: files.slice(0, 2_000) };
}

type Facts = { size: number; mtime: number; sha256: string | null };

/** Returns undefined where no file has that name. */
export async function archiveFacts(
  host: Host,
  place: BackupPlace,
  { name, isHashed = false }: { name: string; isHashed?: boolean },
  { signal }: Way = {},
): Promise<Facts | undefined> {
  const seconds = isHashed ? slowSeconds : quickSeconds;
  const [first] = await ask(host, place, { action: 'facts', name, hashed: isHashed }, { signal, seconds });
  if (first?.is === 'unreadable') throw denied(name);
  return first?.is === 'facts' ? first : undefined;
}

/** Returns false where the archive did not exist. */
export async function removeArchive(host: Host, place: BackupPlace, name: string, way: Way = {}): Promise<boolean> {
  const [first] = await ask(host, place, { action: 'remove', name }, way);
  return first?.is === 'removed';
}

type Part = { operation: string; name: string; size: number; sha256: string; mtime?: number };

/** Creates the backups folder, and says how many bytes of an interrupted upload are there already. */
export async function prepareFolder(host: Host, place: BackupPlace, { operation, size }: Part, way: Way = {}) {
  const [first] = await ask(host, place, { action: 'prepare', operation, size }, way);
  if (first?.is === 'full' || first?.is === 'ready') return first;
  throw noAnswer(0, '');
}

/** Renames the uploaded part to its final name, if it is complete and the name is free. */
export async function placeArchive(host: Host, place: BackupPlace, part: Part, { signal }: Way = {}) {
  const [first] = await ask(host, place, { action: 'place', ...part }, { signal, seconds: slowSeconds });
  if (first?.is === 'placed' || first?.is === 'exists' || first?.is === 'differs') return first.is;
  throw noAnswer(0, '');
}

/** Deletes the part of an upload that was given up. */
export async function dropSent(host: Host, place: BackupPlace, operation: string, way: Way = {}): Promise<void> {
  await ask(host, place, { action: 'drop', operation }, way);
}

/** A script that writes the archive to its output, or reads it from its input. */
export type Moving = { script: string; args: readonly string[] };

export const readArchive = (place: BackupPlace, name: string, from: number, length?: number): Moving =>
  moved(place, { action: 'read', name, from, ...(length !== undefined && { length }) });

export const writeArchive = (place: BackupPlace, operation: string, from: number): Moving =>
  moved(place, { action: 'write', operation, from });

function moved(place: BackupPlace, order: Order): Moving {
  // This program prints no answers, so it needs no secret word.
  const data = sentData({ ...dataOf(place, order), word: '-' });
  return { script: moving, args: [place.php, data, String(slowSeconds), place.path] };
}

const linked = (path: string) =>
  new SiteFailure(
    'no_path',
    `${cleanText(path, 400)} est un lien\u00a0: Vigie ne touche qu’à un vrai dossier du site.`,
    'Remplacez ce lien par un dossier (ou par un montage), puis recommencez.',
  );

const denied = (path: string) =>
  new SiteFailure(
    'not_writable',
    `Le propriétaire du site n’a pas les droits qu’il faut sur ${cleanText(path, 400)}.`,
    'Rendez ce dossier et ses fichiers à l’utilisateur du site (chown), puis recommencez.',
  );

const noWordPress = (path: string) =>
  new SiteFailure(
    'no_path',
    `Aucun WordPress ne se trouve dans ${cleanText(path, 400)}.`,
    'Vérifiez le chemin du site.',
  );

const noAnswer = (code: number | null, said: string) =>
  new SiteFailure(
    'no_answer',
    `Le dossier des sauvegardes n’a pas pu être lu (PHP s’est arrêté avec le code ${code ?? '?'}).`,
    said.trim() === '' ? 'Relancez le test du site.' : `Le serveur a dit\u00a0: ${cleanText(said, 400)}`,
  );
