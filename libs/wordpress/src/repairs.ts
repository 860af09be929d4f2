import type { Maintenance, Repair, RepairCheck, RepairTarget } from '@vigie/contracts/site-repairs';
import { z } from 'zod';
import { readAnswers } from './answers';
import { cleanText } from './clean';
import type { Host } from './host';
import { requireRights } from './inspect';
import config from './php/config.php';
import files from './php/files.php';
import checkPhp from './php/check-for-repairs.php';
import repairPhp from './php/repair.php';
import repairsPhp from './php/repairs.php';
import answerPhp from './php/answer.php';
import { codeOf, proposeReopen, proposePutBack, proposeQuarantine, refusalOf, type RefusalCode } from './repair-words';
import { phpProgram, runPhp, phpTask } from './run-php';

const checkProgram = phpProgram(answerPhp, files, config, repairsPhp, checkPhp);
const repairProgram = phpProgram(answerPhp, files, config, repairsPhp, repairPhp);
const seconds = 20;
const keptBytes = 1_048_576;
/** WordPress ignores a maintenance file this many seconds after the time in it. */
const maintenanceSeconds = 600;

const text = z.string().max(8_192);
const refused = z.string().nullish();
const SuspectItem = z.object({
  type: z.string(),
  slug: z.string(),
  mark: z.string(),
  path: text.nullish(),
  name: text.nullish(),
  refused,
});
const QuarantinedItem = z.object({
  id: z.string(),
  at: z.int().nullish(),
  type: z.string(),
  name: text,
  from: text,
  to: text,
  refused,
});
const Answer = z.object({
  is: z.literal('repairs'),
  folder: text,
  maintenance: z
    .object({ path: text, mtime: z.int(), since: z.int().nullish(), always: z.boolean(), refused })
    .nullable(),
  found: z.array(SuspectItem).max(10),
  aside: z.array(QuarantinedItem).max(100),
});

type Site = { path: string; content: string | null };
type Suspect = { type: RepairTarget; slug: string; mark: string };
type Options = { php: string; suspects: readonly Suspect[]; signal?: AbortSignal };
type RepairState = Pick<RepairCheck, 'maintenance' | 'proposals' | 'aside' | 'aside_folder'>;

/** Reads the maintenance file, suspects and quarantined items, and proposes repairs; runs no code of the site. */
export async function readRepairs(host: Host, site: Site, { php, suspects, signal }: Options): Promise<RepairState> {
  const data = { content: site.content, asked: suspects };
  const phpOptions = { name: 'check-for-repairs.php', php, site: site.path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, checkProgram, data, phpOptions);
  requireRights(run);
  const report = run.answers.map((answer) => Answer.safeParse(answer)).find(({ success }) => success)?.data;
  if (!report) return { maintenance: null, proposals: [], aside: [], aside_folder: null };
  const { folder, maintenance: file } = report;
  const maintenance = file && maintenanceOf(file, Date.now() / 1_000);
  const end = file && maintenance ? [proposeReopen(file.path, maintenance, codeOf(file.refused))] : [];
  const quarantines = report.found.flatMap((item) => {
    const suspect = suspects.find(({ mark }) => mark === item.mark);
    return suspect ? [proposeQuarantine(suspect, { folder, ...item, refused: codeOf(item.refused) })] : [];
  });
  return {
    maintenance,
    proposals: [...end, ...quarantines],
    aside: report.aside.map((each) => ({
      ...proposePutBack(each.id, each.from, each.to, codeOf(each.refused)),
      made_at: each.at ? new Date(each.at * 1_000).toISOString() : null,
    })),
    aside_folder: cleanText(folder, 4_096),
  };
}

function maintenanceOf(
  { mtime, since, always }: { mtime: number; since?: number | null; always: boolean },
  now: number,
): Maintenance {
  const base = { mtime, made_at: new Date(mtime * 1_000).toISOString() };
  if (always) return { ...base, holds: 'always', until: null };
  if (since === null || since === undefined) return { ...base, holds: 'unknown', until: null };
  const until = new Date(Math.min(since + maintenanceSeconds, 8e12) * 1_000).toISOString();
  return { ...base, holds: now - since >= maintenanceSeconds ? 'over' : 'until', until };
}

export type RepairOrder = { operation: string; site: Site; php: string; repair: Repair };

const secretOf = (operation: string) => operation.replaceAll('-', '');
/** By default the mark is made from the job's id, so that a repeated job gets the same one. */
const markOf = ({ operation, repair }: Pick<RepairOrder, 'operation' | 'repair'>) =>
  (repair.action === 'set_aside' && repair.mark) || secretOf(operation).slice(-12);

/** One repair of a site, as an operation of the journal: runs as its owner or the login, without starting WordPress. */
export function repairTask(order: RepairOrder): { script: string; input: string } {
  const { operation, site, php, repair } = order;
  const data = { content: site.content, repair: { ...repair, mark: markOf(order) }, word: secretOf(operation) };
  return phpTask(repairProgram, data, { php, site: site.path, seconds });
}

const RepairAnswer = z.object({
  is: z.literal('repaired'),
  done: text.nullish(),
  from: text.nullish(),
  refused,
  why: text.nullish(),
});

export type RepairEnd =
  | { is: 'done'; path: string; from: string | null }
  | { is: 'refused'; code: RefusalCode; message: string; remedy: string }
  | undefined;

/** Reads the result of a repair; undefined where it printed none. Throws where PHP had no rights to run. */
export function readRepairEnd(stdout: Buffer, { operation }: Pick<RepairOrder, 'operation'>): RepairEnd {
  const rights = /^as\t([a-z-]+)$/m.exec(stdout.toString('latin1', 0, 200))?.[1] ?? null;
  requireRights({ answers: [], rights, code: null, stderr: '' });
  const answers = readAnswers(stdout, secretOf(operation)).map((answer) => RepairAnswer.safeParse(answer));
  const report = answers.find(({ success }) => success)?.data;
  if (!report) return undefined;
  const { done, from } = report;
  if (done) return { is: 'done', path: cleanText(done, 4_096), from: from ? cleanText(from, 4_096) : null };
  const code = codeOf(report.refused) ?? 'failed';
  return { is: 'refused', code, ...refusalOf(code, cleanText(report.why ?? '', 300)) };
}

/** Whether a check after an interruption shows that the repair was made. */
export function isDone({ operation, repair }: Pick<RepairOrder, 'operation' | 'repair'>, check: RepairCheck): boolean {
  if (check.aside_folder === null) return false;
  if (repair.action === 'end_maintenance') return check.maintenance?.mtime !== repair.mtime;
  const ids = check.aside.flatMap((each) => (each.repair.action === 'put_back' ? [each.repair.aside] : []));
  if (repair.action === 'put_back') return !ids.includes(repair.aside);
  return ids.some((id) => id.startsWith(`${repair.type}/${repair.slug}`) && id.endsWith(markOf({ operation, repair })));
}
