import { z } from 'zod';
import { isClean } from './clean';
import type { Host } from './host';
import { requireRights, type SiteLocation } from './inspect';
import contentPhp from './php/content.php';
import files from './php/files.php';
import answerPhp from './php/answer.php';
import sitePhp from './php/site.php';
import start from './php/start.php';
import operationPhp from './php/operation.php';
import { phpProgram, runPhp } from './run-php';

const program = phpProgram(answerPhp, operationPhp, files, start, sitePhp, contentPhp);
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
  { path, url }: SiteLocation,
  { php, signal }: { php: string; signal?: AbortSignal },
): Promise<string | null> {
  const phpOptions = { name: 'content.php', php, site: path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, program, { path, url }, phpOptions);
  requireRights(run);
  return run.answers.map((answer) => Answer.safeParse(answer)).find(({ success }) => success)?.data?.path ?? null;
}
