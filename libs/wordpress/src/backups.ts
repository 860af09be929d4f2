import { archiveName, backupsFolder } from '@vigie/contracts/backups';
import { z } from 'zod';
import { cleanText } from './clean';
import { type Host, SiteFailure } from './host';
import { requireRights } from './inspect';
import { requireUuid } from './operation-script';
import backupsPhp from './php/backups.php';
import backupsFolderPhp from './php/backups-folder.php';
import answerPhp from './php/answer.php';
import { phpProgram, runPhp, encodeInput, streamProgram } from './run-php';

const program = phpProgram(answerPhp, backupsFolderPhp, backupsPhp);
const streamingProgram = streamProgram(answerPhp, backupsFolderPhp, backupsPhp);
const keptBytes = 4_194_304;
const quickSeconds = 60;
/** For archives that are hashed or streamed whole. */
const slowSeconds = 6 * 3_600;

/** The site whose archives are managed, and the PHP that runs as its owner. No code of the site runs. */
export type ArchiveLocation = { path: string; content: string | null; php: string };

const contentOf = ({ path, content }: Pick<ArchiveLocation, 'path' | 'content'>) =>
  (content ?? `${path}/wp-content`).replace(/\/+$/, '');

/** The backups folder as people read it: relative to the site's root where possible. */
export function storageOf(site: Pick<ArchiveLocation, 'path' | 'content'>): string {
  const content = contentOf(site);
  const root = `${site.path.replace(/\/+$/, '')}/`;
  return `${content.startsWith(root) ? content.slice(root.length) : content}/${backupsFolder}`;
}

type Command = {
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

function dataOf(site: ArchiveLocation, { name = 'none.wpress', operation = 'none', ...command }: Command) {
  if (!archiveName.test(name)) throw new Error('not the name of an archive');
  const operationId = operation === 'none' ? operation : requireUuid(operation);
  return { content: contentOf(site), name, operation: operationId, ...command };
}

const count = z.int().min(0);
const text = z.string().max(8_192);
const Answer = z.discriminatedUnion('is', [
  z.object({ is: z.literal('folder'), path: text, free: count.nullable() }),
  z.object({ is: z.literal('files'), files: z.array(z.object({ name: text, size: count, mtime: count })).max(200) }),
  z.object({ is: z.literal('facts'), size: count, mtime: count, sha256: z.string().nullable() }),
  z.object({ is: z.literal('full'), needed: count, free: count }),
  z.object({ is: z.literal('ready'), have: count }),
  z.object({ is: z.enum(['denied', 'link']), path: text }),
  z.object({ is: z.enum(['absent', 'unreadable', 'placed', 'exists', 'differs', 'removed']) }),
]);
type Answer = z.infer<typeof Answer>;

type Options = { signal?: AbortSignal; seconds?: number };

async function runCommand(host: Host, site: ArchiveLocation, command: Command, options: Options): Promise<Answer[]> {
  const { signal, seconds = quickSeconds } = options;
  const phpOptions = { name: 'backups.php', php: site.php, site: site.path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, program, dataOf(site, command), phpOptions);
  requireRights(run);
  const answers = run.answers.flatMap((answer) => Answer.safeParse(answer).data ?? []);
  const [first] = answers;
  if (run.rights === 'no-wordpress') throw noWordPressFailure(site.path);
  if (!first) throw noAnswerFailure(run.code, run.stderr);
  if (first.is === 'link') throw linkFailure(first.path);
  if (first.is === 'denied' && first.path !== '') throw rightsFailure(first.path);
  return answers;
}

export type ArchiveFile = { name: string; size: number; mtime: number };

/** Lists the archives of the site, newest first. */
export async function listArchives(host: Host, site: ArchiveLocation, options: Options = {}) {
  const answers = await runCommand(host, site, { action: 'look' }, options);
  const [first] = answers;
  const files = answers.flatMap((answer): ArchiveFile[] => (answer.is === 'files' ? answer.files : []));
  const { path, free } = first?.is === 'folder' ? first : { path: '', free: null };
  return { folder: cleanText(path, 4_096), free, files: files.slice(0, 2_000) };
}

type ArchiveStat = { size: number; mtime: number; sha256: string | null };

/** Returns undefined where no file has that name. */
export async function statArchive(
  host: Host,
  site: ArchiveLocation,
  { name, isHashed = false }: { name: string; isHashed?: boolean },
  { signal }: Options = {},
): Promise<ArchiveStat | undefined> {
  const seconds = isHashed ? slowSeconds : quickSeconds;
  const [first] = await runCommand(host, site, { action: 'facts', name, hashed: isHashed }, { signal, seconds });
  if (first?.is === 'unreadable') throw rightsFailure(name);
  return first?.is === 'facts' ? first : undefined;
}

/** Returns false where the archive did not exist. */
export async function removeArchive(host: Host, site: ArchiveLocation, name: string, options: Options = {}) {
  const [first] = await runCommand(host, site, { action: 'remove', name }, options);
  return first?.is === 'removed';
}

type Upload = { operation: string; name: string; size: number; sha256: string; mtime?: number };

/** Creates the backups folder, and says how many bytes of an interrupted upload are there already. */
export async function prepareFolder(
  host: Host,
  site: ArchiveLocation,
  { operation, size }: Upload,
  options: Options = {},
) {
  const [first] = await runCommand(host, site, { action: 'prepare', operation, size }, options);
  if (first?.is === 'full' || first?.is === 'ready') return first;
  throw noAnswerFailure(0, '');
}

/** Renames the uploaded part to its final name, if it is complete and the name is free. */
export async function placeArchive(host: Host, site: ArchiveLocation, part: Upload, { signal }: Options = {}) {
  const [first] = await runCommand(host, site, { action: 'place', ...part }, { signal, seconds: slowSeconds });
  if (first?.is === 'placed' || first?.is === 'exists' || first?.is === 'differs') return first.is;
  throw noAnswerFailure(0, '');
}

/** Deletes the part of an upload that was given up. */
export async function dropUpload(
  host: Host,
  site: ArchiveLocation,
  operation: string,
  options: Options = {},
): Promise<void> {
  await runCommand(host, site, { action: 'drop', operation }, options);
}

/** A script that writes the archive to its output, or reads it from its input. */
export type StreamScript = { script: string; args: readonly string[] };

export const readArchive = (site: ArchiveLocation, name: string, from: number, length?: number): StreamScript =>
  streamScript(site, { action: 'read', name, from, ...(length !== undefined && { length }) });

export const writeArchive = (site: ArchiveLocation, operation: string, from: number): StreamScript =>
  streamScript(site, { action: 'write', operation, from });

function streamScript(site: ArchiveLocation, command: Command): StreamScript {
  // This program prints no answers, so it needs no secret word.
  const data = encodeInput({ ...dataOf(site, command), word: '-' });
  return { script: streamingProgram, args: [site.php, data, String(slowSeconds), site.path] };
}

const linkFailure = (path: string) =>
  new SiteFailure(
    'no_path',
    `${cleanText(path, 400)} est un lien\u00a0: Vigie ne touche qu’à un vrai dossier du site.`,
    'Remplacez ce lien par un dossier (ou par un montage), puis recommencez.',
  );

const rightsFailure = (path: string) =>
  new SiteFailure(
    'not_writable',
    `Le propriétaire du site n’a pas les droits qu’il faut sur ${cleanText(path, 400)}.`,
    'Rendez ce dossier et ses fichiers à l’utilisateur du site (chown), puis recommencez.',
  );

const noWordPressFailure = (path: string) =>
  new SiteFailure(
    'no_path',
    `Aucun WordPress ne se trouve dans ${cleanText(path, 400)}.`,
    'Vérifiez le chemin du site.',
  );

const noAnswerFailure = (code: number | null, stderr: string) =>
  new SiteFailure(
    'no_answer',
    `Le dossier des sauvegardes n’a pas pu être lu (PHP s’est arrêté avec le code ${code ?? '?'}).`,
    stderr.trim() === '' ? 'Relancez le test du site.' : `Le serveur a dit\u00a0: ${cleanText(stderr, 400)}`,
  );
