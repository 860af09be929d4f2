import { z } from 'zod';
import { cleanText } from './clean';
import { packSentence } from './pack-words';
import type { Host } from './host';
import { isUuid, checkedUuid, operationInput, operationScript } from './operation-script';
import head from './pack-head.sh';
import packing from './pack.sh';
import about from './php/package-json.php';
import archive from './php/archive.php';
import database from './php/database.php';
import dump from './php/dump.php';
import files from './php/files.php';
import folder from './php/backups-folder.php';
import link from './php/connection.php';
import pack from './php/pack.php';
import room from './php/room.php';
import runPack from './php/run-pack.php';
import site from './php/site.php';
import sql from './php/sql.php';
import start from './php/start.php';
import tables from './php/scan-database.php';
import tell from './php/operation.php';
import tree from './php/tree.php';
import { onDescriptor4, sentData } from './run-php';
import { ReportLines } from './report-lines';

type Without = {
  cache?: boolean;
  spam?: boolean;
  revisions?: boolean;
  media?: boolean;
  plugins?: boolean;
  inactive_plugins?: boolean;
  mu_plugins?: boolean;
  themes?: boolean;
  inactive_themes?: boolean;
  database?: boolean;
  /** Paths below the content folder, as the archive would name them. */
  files?: readonly string[];
  /** Full names, with the prefix. */
  tables?: readonly string[];
};

export type PackOrder = {
  /** The uuid of the job. */
  operation: string;
  site: { path: string; url: string };
  php: string;
  /** File name of the archive; random, since a web server may hand it out. */
  name: string;
  /** Format 2 has checksums of its own, which plugins before 7.104 refuse. */
  format: 1 | 2;
  without: Without;
  seconds?: number;
};

export const nameForm = /^[A-Za-z0-9_][A-Za-z0-9._-]*\.wpress$/;
const defaultSeconds = 6 * 3_600;
/** Everything that packs a site, without the line that starts it. */
export const packParts = [
  tell,
  files,
  folder,
  tables,
  sql,
  link,
  room,
  archive,
  database,
  dump,
  start,
  site,
  tree,
  about,
  pack,
];
const program = onDescriptor4(...packParts, runPack);

/** Packs a site into an archive in its backups folder, completely or not at all. The journal id is the job's. */
export function packTask(order: PackOrder): { script: string; input: string } {
  const { operation, name, php, site: of, seconds = defaultSeconds } = order;
  if (!nameForm.test(name) || name.length > 200) throw new Error('not the name of an archive');
  const input = operationInput(
    php,
    of.path,
    String(Math.ceil(seconds)),
    sentData({ ...order, operation: checkedUuid(operation) }),
  );
  return { script: operationScript(program, head, packing), input };
}

/** Deletes the part of a killed backup. The host's path is not trusted: only this operation's file is deleted. */
export async function dropPart(host: Host, operation: string, part: string, signal?: AbortSignal): Promise<void> {
  if (!isUuid(operation) || !part.endsWith(`/ai1wm-backups/.vigie-${operation}.part`)) return;
  if (!part.startsWith('/') || /[\0\r\n]/.test(part)) return;
  await host.run('rm -f -- "$1"', { args: [part], limits: { totalMs: 30_000 }, signal });
}

/** In bytes; the total is an estimate until the database is packed. */
export type PackProgress = { step: 'checks' | 'database' | 'files' | 'end'; done: number | null; total: number | null };

type Packed = {
  is: 'done';
  name: string;
  folder: string;
  size: number;
  entries: number;
  tables: number;
  rows: number;
  /** Bytes of the longest SQL statement: a server with a smaller max_allowed_packet cannot load it. */
  longest: number;
  /** Files that could not be read or have a name that no archive may hold, and some examples. */
  missed: number;
  examples: string[];
  /** Peak memory of PHP, in bytes. */
  memory: number;
};
/** `refused`: nothing was written. `failed`: everything that was written is deleted again. */
export type PackEnd = Packed | { is: 'refused' | 'failed'; code: string; message: string; remedy: string };

const whole = z.int().min(0);
const text = z.string().default('');
const Line = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({
    is: z.literal('step'),
    step: z.enum(['checks', 'database', 'files', 'end']),
    done: whole.nullish(),
    total: whole.nullish(),
  }),
  z.object({ is: z.literal('part'), path: z.string() }),
  z.object({
    is: z.literal('done'),
    name: z.string().regex(nameForm),
    folder: z.string().max(4_096),
    size: whole,
    entries: whole,
    tables: whole,
    rows: whole,
    longest: whole,
    missed: whole,
    examples: z.array(z.string()).max(50),
    memory: whole,
  }),
  z.object({
    is: z.enum(['refused', 'failed']),
    code: z.string(),
    why: text,
    words: text,
    path: text,
    needed: whole.default(0),
    free: whole.default(0),
  }),
  z.object({ is: z.literal('over'), code: z.int() }),
]);
type Line = z.infer<typeof Line>;

const notRun: Record<string, string> = {
  'root-owned': 'owner',
  'unsure-owner': 'owner',
  'no-tool': 'owner',
  'no-wordpress': 'absent',
};

/** Reads the progress lines of a backup. */
export class PackReader {
  end: PackEnd | undefined;
  /** The file in progress: without an end it may still be there. */
  part: string | undefined;
  private readonly lines = new ReportLines(Line);
  private as = '';

  hear(line: string): PackProgress | undefined {
    const told = this.end ? undefined : this.lines.read(line);
    return told && this.take(told);
  }

  private take(told: Line): PackProgress | undefined {
    if (told.is === 'step') return { step: told.step, done: told.done ?? null, total: told.total ?? null };
    if (told.is === 'as') this.as = told.as;
    else if (told.is === 'part') this.part = told.path;
    else this.end = this.endOf(told);
    return undefined;
  }

  private endOf(told: Exclude<Line, { is: 'step' | 'as' | 'part' }>): PackEnd {
    if (told.is === 'over') return this.diedWith(told.code);
    if (told.is === 'done') return { ...told, examples: told.examples.map((path) => cleanText(path, 300)) };
    return { is: told.is, code: cleanText(told.code, 40), ...packSentence(told.code, cleaned(told)) };
  }

  /** Describes the end of a process that reported none. */
  private diedWith(exit: number): PackEnd {
    const code = this.part === undefined ? reasonOf(exit, this.as) : lateOr(exit);
    const is = this.part === undefined ? 'refused' : 'failed';
    return { is, code, ...packSentence(code, { why: '', words: '', path: '', needed: 0, free: 0 }) };
  }
}

const lateOr = (exit: number) => (exit === 124 ? 'late' : 'died');
export const reasonOf = (exit: number, as: string) =>
  notRun[as] ?? (exit === 126 || exit === 127 ? 'no_php' : lateOr(exit));

const cleaned = (told: Extract<Line, { is: 'refused' | 'failed' }>) => ({
  ...told,
  words: cleanText(told.words, 400),
  path: cleanText(told.path, 300),
});
