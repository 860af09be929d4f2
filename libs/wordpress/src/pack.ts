import { z } from 'zod';
import { cleanText } from './clean';
import { packSentence } from './pack-words';
import type { Host } from './host';
import { isUuid, requireUuid, operationInput, operationScript } from './operation-script';
import head from './pack-head.sh';
import packScript from './pack.sh';
import packageJson from './php/package-json.php';
import archive from './php/archive.php';
import database from './php/database.php';
import dump from './php/dump.php';
import files from './php/files.php';
import backupsFolder from './php/backups-folder.php';
import connection from './php/connection.php';
import pack from './php/pack.php';
import room from './php/room.php';
import runPack from './php/run-pack.php';
import sitePhp from './php/site.php';
import sql from './php/sql.php';
import start from './php/start.php';
import scanDatabase from './php/scan-database.php';
import operationPhp from './php/operation.php';
import tree from './php/tree.php';
import { onDescriptor4, encodeInput } from './run-php';
import { ReportLines } from './report-lines';

type Exclusions = {
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
  without: Exclusions;
  seconds?: number;
};

export const archivePattern = /^[A-Za-z0-9_][A-Za-z0-9._-]*\.wpress$/;
const defaultSeconds = 6 * 3_600;
/** Everything that packs a site, without the line that starts it. */
export const packParts = [
  operationPhp,
  files,
  backupsFolder,
  scanDatabase,
  sql,
  connection,
  room,
  archive,
  database,
  dump,
  start,
  sitePhp,
  tree,
  packageJson,
  pack,
];
const program = onDescriptor4(...packParts, runPack);

/** Packs a site into an archive in its backups folder, completely or not at all. The journal id is the job's. */
export function packTask(order: PackOrder): { script: string; input: string } {
  const { operation, name, php, site, seconds = defaultSeconds } = order;
  if (!archivePattern.test(name) || name.length > 200) throw new Error('not the name of an archive');
  const input = operationInput(
    php,
    site.path,
    String(Math.ceil(seconds)),
    encodeInput({ ...order, operation: requireUuid(operation) }),
  );
  return { script: operationScript(program, head, packScript), input };
}

/** Deletes the part of a killed backup. The host's path is not trusted: only this operation's file is deleted. */
export async function deletePart(host: Host, operation: string, part: string, signal?: AbortSignal): Promise<void> {
  if (!isUuid(operation) || !part.endsWith(`/ai1wm-backups/.vigie-${operation}.part`)) return;
  if (!part.startsWith('/') || /[\0\r\n]/.test(part)) return;
  await host.run('rm -f -- "$1"', { args: [part], limits: { totalMs: 30_000 }, signal });
}

/** In bytes; the total is an estimate until the database is packed. */
export type PackProgress = { step: 'checks' | 'database' | 'files' | 'end'; done: number | null; total: number | null };

type PackResult = {
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
export type PackEnd = PackResult | { is: 'refused' | 'failed'; code: string; message: string; remedy: string };

const count = z.int().min(0);
const text = z.string().default('');
const ReportLine = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({
    is: z.literal('step'),
    step: z.enum(['checks', 'database', 'files', 'end']),
    done: count.nullish(),
    total: count.nullish(),
  }),
  z.object({ is: z.literal('part'), path: z.string() }),
  z.object({
    is: z.literal('done'),
    name: z.string().regex(archivePattern),
    folder: z.string().max(4_096),
    size: count,
    entries: count,
    tables: count,
    rows: count,
    longest: count,
    missed: count,
    examples: z.array(z.string()).max(50),
    memory: count,
  }),
  z.object({
    is: z.enum(['refused', 'failed']),
    code: z.string(),
    why: text,
    words: text,
    path: text,
    needed: count.default(0),
    free: count.default(0),
  }),
  z.object({ is: z.literal('over'), code: z.int() }),
]);
type ReportLine = z.infer<typeof ReportLine>;

const codesByRights: Record<string, string> = {
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
  private readonly lines = new ReportLines(ReportLine);
  private rights = '';

  readLine(line: string): PackProgress | undefined {
    const report = this.end ? undefined : this.lines.read(line);
    return report && this.apply(report);
  }

  private apply(report: ReportLine): PackProgress | undefined {
    if (report.is === 'step') return { step: report.step, done: report.done ?? null, total: report.total ?? null };
    if (report.is === 'as') this.rights = report.as;
    else if (report.is === 'part') this.part = report.path;
    else this.end = this.endOf(report);
    return undefined;
  }

  private endOf(report: Exclude<ReportLine, { is: 'step' | 'as' | 'part' }>): PackEnd {
    if (report.is === 'over') return this.endOfProcess(report.code);
    if (report.is === 'done') return { ...report, examples: report.examples.map((path) => cleanText(path, 300)) };
    return { is: report.is, code: cleanText(report.code, 40), ...packSentence(report.code, cleaned(report)) };
  }

  /** Describes the end of a process that reported none. */
  private endOfProcess(exitCode: number): PackEnd {
    const code = this.part === undefined ? silentFailureCode(exitCode, this.rights) : lateOrDied(exitCode);
    const is = this.part === undefined ? 'refused' : 'failed';
    return { is, code, ...packSentence(code, { why: '', words: '', path: '', needed: 0, free: 0 }) };
  }
}

const lateOrDied = (exitCode: number) => (exitCode === 124 ? 'late' : 'died');
export const silentFailureCode = (exitCode: number, as: string) =>
  codesByRights[as] ?? (exitCode === 126 || exitCode === 127 ? 'no_php' : lateOrDied(exitCode));

const cleaned = (report: Extract<ReportLine, { is: 'refused' | 'failed' }>) => ({
  ...report,
  words: cleanText(report.words, 400),
  path: cleanText(report.path, 300),
});
