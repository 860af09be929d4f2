import type { SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { culpritOf, shortPath } from './culprit';
import type { Host } from './host';
import files from './php/files.php';
import logs from './php/logs.php';
import readLogsPhp from './php/read-logs.php';
import answerPhp from './php/answer.php';
import { phpProgram, runPhp } from './run-php';
import sameLogs from './same-logs.sh';

const program = phpProgram(answerPhp, files, logs, readLogsPhp);
const seconds = 20;
const keptBytes = 2 * 1_048_576;
const maxPlaces = 8;
const maxFatals = 50;

/** A file that errors are written to, and its size when it was noted. `inode` 0: it did not exist. */
export const LogPosition = z.object({
  path: z.string().max(4_096),
  size: z.int().min(0),
  inode: z.int().min(0),
  /** Whether other sites may write to it too. */
  shared: z.boolean().default(false),
});
export type LogPosition = z.infer<typeof LogPosition>;

export type LoggedFatal = Pick<SiteProblem, 'message' | 'file' | 'line' | 'culprit'> & { at: string | null };

const RawFatal = z.object({
  at: z.int().nullish(),
  message: z.string().nullish(),
  file: z.string().nullish(),
  line: z.int().nullish(),
});
const Answer = z.object({
  is: z.literal('logs'),
  root: z.string(),
  places: z.array(LogPosition).max(maxPlaces),
  fatals: z.array(RawFatal).max(maxFatals),
});

type Site = { path: string; content?: string | null };
type Options = { php: string; since: readonly LogPosition[] | null; signal?: AbortSignal };

/**
 * Reads the fatal errors of a site's logs, oldest first, as its owner or the login: all that are kept, or those since
 * `since`. Returns none where the logs are unreadable.
 */
export async function readLogs(
  host: Host,
  site: Site,
  { php, since, signal }: Options,
): Promise<{ places: LogPosition[]; fatals: LoggedFatal[] }> {
  if (since && (await isUnchanged(host, since, signal))) return { places: [...since], fatals: [] };
  const data = { since: since?.slice(0, maxPlaces) ?? null, content: site.content ?? null };
  const phpOptions = { name: 'read-logs.php', php, site: site.path, seconds, keep: keptBytes, signal };
  const { answers } = await runPhp(host, program, data, phpOptions);
  const report = answers.map((answer) => Answer.safeParse(answer)).find(({ success }) => success)?.data;
  if (!report) return { places: [], fatals: [] };
  const folders = { roots: [site.path, report.root], content: site.content ?? null };
  return { places: report.places, fatals: report.fatals.map((fatal) => fatalOf(fatal, folders)) };
}

/** If `stat` fails, the logs are read. */
async function isUnchanged(host: Host, positions: readonly LogPosition[], signal: AbortSignal | undefined) {
  const args = positions.flatMap(({ path, size, inode }) => [path, String(size), String(inode)]);
  const { stdout } = await host.run(sameLogs, {
    args,
    keep: { stdout: 100, stderr: 100 },
    signal,
    name: 'same-logs.sh',
  });
  return stdout.bytes.toString().trim() === 'same';
}

function fatalOf(
  { at, message, file, line }: z.infer<typeof RawFatal>,
  folders: { roots: readonly string[]; content: string | null },
): LoggedFatal {
  const path = file ? cleanText(file, 2_000) : null;
  const short = folders.roots.filter(Boolean).reduce((rest, root) => rest.replaceAll(`${root}/`, ''), message ?? '');
  return {
    at: at ? new Date(at * 1_000).toISOString() : null,
    message: cleanText(short, 1_000),
    file: path === null ? null : shortPath(path, folders).slice(0, 500),
    line: line ?? null,
    culprit: path === null ? null : culpritOf(path, folders),
  };
}
