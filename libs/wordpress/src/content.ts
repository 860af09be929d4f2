import { z } from 'zod';
import { isClean } from './clean';
import type { Host } from './host';
import { refuse, type SiteToBoot } from './inspect';
import content from './php/content.php';
import files from './php/files.php';
import say from './php/answer.php';
import site from './php/site.php';
import start from './php/start.php';
import tell from './php/operation.php';
import { phpProgram, runPhp } from './run-php';

const program = phpProgram(say, tell, files, start, site, content);
const seconds = 20;
const keptBytes = 65_536;

const Answer = z.object({
  is: z.literal('content'),
  path: z.string().max(4_096).startsWith('/').refine(isClean).nullable(),
});

/**
 * Finds the content folder by running the configuration alone, as the owner of the site: neither WordPress nor the
 * database has to work. Returns null for the default folder, or where the configuration fails.
 */
export async function readContent(
  host: Host,
  { path, url }: SiteToBoot,
  { php, signal }: { php: string; signal?: AbortSignal },
): Promise<string | null> {
  const given = { name: 'content.php', php, site: path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, program, { path, url }, given);
  refuse(run);
  return run.answers.map((answer) => Answer.safeParse(answer)).find(({ success }) => success)?.data?.path ?? null;
}
