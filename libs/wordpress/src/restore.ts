import type { RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { z } from 'zod';
import { cleanText } from './clean';
import { loadParts } from './load-parts';
import { archivePattern, type PackOrder, packParts, silentFailureCode } from './pack';
import { operationInput, operationScript } from './operation-script';
import head from './pack-head.sh';
import { brokenSentence, restoreSentence, warningOf } from './restore-words';
import finishScript from './restore-back.sh';
import restoreScript from './restore.sh';
import boot from './php/boot.php';
import leftoverTables from './php/leftover-tables.php';
import lostOptions from './php/lost-options.php';
import maintenance from './php/maintenance.php';
import foreignTables from './php/foreign-tables.php';
import restoreCheck from './php/restore-check.php';
import restoreEnd from './php/restore-end.php';
import restoreSite from './php/restore-site.php';
import restoreStart from './php/restore-start.php';
import runRestore from './php/run-restore.php';
import scope from './php/scope.php';
import swap from './php/swap.php';
import tableSwapState from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import { onDescriptor4, encodeInput } from './run-php';
import { ReportLines } from './report-lines';
import { unpackParts } from './unpack';

export type RestoreOrder = Pick<PackOrder, 'operation' | 'site' | 'php' | 'name' | 'seconds'> & {
  /** Name of the archive that saves the site before the restore; null makes none. */
  safety: string | null;
  mode: RestoreMode;
  scope: RestoreScope;
  path: string;
};

const defaultSeconds = 12 * 3_600;
const swapParts = [
  maintenance,
  foreignTables,
  scope,
  swap,
  tableSwapState,
  tableSwap,
  leftoverTables,
  boot,
  lostOptions,
  restoreCheck,
  restoreStart,
  restoreEnd,
  restoreSite,
  runRestore,
];
const program = onDescriptor4(...new Set([...packParts, ...unpackParts, ...loadParts, ...swapParts]));

/** Restores a site, completely or not at all. The journal id is the job's. */
export const restoreTask = (order: RestoreOrder) => ({
  script: operationScript(program, head, restoreScript),
  input: inputOf(order),
});

/** Finishes a restore that was killed; may run repeatedly. */
export const finishRestoreTask = (order: RestoreOrder) => ({
  script: operationScript(program, head, finishScript),
  input: inputOf(order),
});

function inputOf(order: RestoreOrder): string {
  const { name, safety, php, site, seconds = defaultSeconds } = order;
  if (![name, safety ?? name].every((item) => archivePattern.test(item))) throw new Error('not the name of an archive');
  return operationInput(php, site.path, String(Math.ceil(seconds)), encodeInput({ ...order, api: null }));
}

export type RestoreProgress = {
  step: 'checks' | 'read' | 'safety' | 'files' | 'database' | 'exchange' | 'start' | 'end' | 'back';
  done: number | null;
  total: number | null;
};

type Counts = Record<'files' | 'removed' | 'skipped' | 'tables' | 'rows', number>;
type SwapResult = Counts & { examples: string[]; size?: number };
export type RestoreEnd =
  /** `lost`: keys, triggers or views that could not be created again. */
  | ({ is: 'done'; warnings: string[]; lost: string[] } & SwapResult)
  /** The restore is undone. `touched`: the site had already changed, and is as before again. */
  | { is: 'undone'; touched: boolean; code: string; message: string; remedy: string };

const count = z.int().min(0);
const text = z.string().default('');
const fields = {
  code: z.string(),
  why: text,
  words: text,
  path: text,
  needed: count.default(0),
  free: count.default(0),
};
const ReportLine = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({
    is: z.literal('step'),
    step: z.enum(['checks', 'read', 'safety', 'files', 'database', 'exchange', 'start', 'end', 'back']),
    done: count.nullish(),
    total: count.nullish(),
  }),
  z.object({ is: z.literal('safety'), name: z.string(), size: count }),
  z.object({
    is: z.literal('warning'),
    code: z.string(),
    name: text,
    words: text,
    list: z.array(z.string()).max(50).default([]),
  }),
  z.object({
    is: z.literal('exchanged'),
    files: count,
    removed: count,
    skipped: count,
    examples: z.array(z.string()).max(50),
    tables: count,
    rows: count,
    // Restores of an older release report no size.
    size: count.optional(),
    memory: count.default(0),
  }),
  z.object({ is: z.literal('broken'), words: text, path: text }),
  z.object({ is: z.literal('begun') }),
  z.object({ is: z.literal('done') }),
  z.object({ is: z.literal('back'), touched: z.boolean() }),
  z.object({ is: z.enum(['refused', 'failed', 'stuck']), ...fields }),
  z.object({ is: z.literal('over'), code: z.int() }),
]);
type ReportLine = z.infer<typeof ReportLine>;
type FailureReason = Pick<RestoreEnd & { is: 'undone' }, 'code' | 'message' | 'remedy'>;

const maxWarnings = 50;
const noDetails = { why: '', words: '', path: '', needed: 0, free: 0 };

/** Reads the progress lines of a restore and of the operations that finish it. */
export class RestoreReader {
  end: RestoreEnd | undefined;
  safety: { filename: string; size: number } | undefined;
  /** Peak memory of PHP in bytes, above what it used before it read the archive. */
  memory: number | undefined;
  /** From the swap on, the restore can no longer be stopped. */
  isSwapping = false;
  private readonly lines = new ReportLines(ReportLine);
  private rights = '';
  private swapResult: SwapResult | undefined;
  private readonly warnings: string[] = [];
  private readonly lost: string[] = [];
  private hasBegun = false;
  private isDone = false;
  private back: { touched: boolean } | undefined;
  private reason: FailureReason | undefined;

  readLine(line: string): RestoreProgress | undefined {
    const report = this.lines.read(line);
    if (report?.is === 'step') return this.applyStep(report);
    if (report) this.apply(report);
    return undefined;
  }

  expectNext(): void {
    this.lines.expectNext();
  }

  private applyStep({ step, done, total }: Extract<ReportLine, { is: 'step' }>): RestoreProgress | undefined {
    this.isSwapping ||= step === 'exchange';
    return this.back ? undefined : { step, done: done ?? null, total: total ?? null };
  }

  private apply(report: Exclude<ReportLine, { is: 'step' }>): void {
    if (report.is === 'as') this.rights = report.as;
    else if (report.is === 'safety') this.safety = { filename: report.name, size: report.size };
    else if (report.is === 'warning') this.warn(report);
    else if (report.is === 'exchanged') [this.swapResult, this.memory] = [countsOf(report), report.memory];
    else if (report.is === 'begun') this.hasBegun = true;
    else if (report.is === 'done') this.isDone = true;
    else if (report.is === 'back') this.back = { touched: report.touched };
    else if (report.is === 'broken')
      this.reason ??= brokenSentence(cleanText(report.words, 400), cleanText(report.path, 300));
    else if (report.is === 'over') this.finish(report.code);
    else if (report.is !== 'stuck') this.reason ??= reasonFor(report);
  }

  private warn(report: Extract<ReportLine, { is: 'warning' }>): void {
    const list = report.list.map((item) => cleanText(item, 200));
    const sentences = report.code === 'definition' ? this.lost : this.warnings;
    if (sentences.length < maxWarnings) sentences.push(warningOf({ ...cleaned(report), list }));
  }

  private finish(code: number): void {
    if (this.isDone && this.swapResult)
      this.end = { is: 'done', warnings: this.warnings, lost: this.lost, ...this.swapResult };
    else if (this.back ?? !this.hasBegun) {
      this.end = { is: 'undone', touched: false, ...this.back, ...(this.reason ?? this.silentReason(code)) };
    }
  }

  private silentReason(code: number): FailureReason {
    const reason = silentFailureCode(code, this.rights);
    return { code: reason, ...restoreSentence(reason, noDetails) };
  }
}

const countsOf = (report: Extract<ReportLine, { is: 'exchanged' }>): SwapResult => ({
  files: report.files,
  removed: report.removed,
  skipped: report.skipped,
  examples: report.examples.map((item) => cleanText(item, 300)),
  tables: report.tables,
  rows: report.rows,
  ...(report.size !== undefined && { size: report.size }),
});

const reasonFor = (report: Extract<ReportLine, { is: 'refused' | 'failed' | 'stuck' }>): FailureReason => ({
  code: cleanText(report.code, 40),
  ...restoreSentence(report.code, cleaned(report)),
});

const cleaned = <T extends { words: string; path?: string; name?: string }>(report: T): T => ({
  ...report,
  words: cleanText(report.words, 400),
  ...(report.path !== undefined && { path: cleanText(report.path, 300) }),
  ...(report.name !== undefined && { name: cleanText(report.name, 200) }),
});
