import type { RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { z } from 'zod';
import { cleanText } from './clean';
import { loadParts } from './load-parts';
import { nameForm, type PackOrder, packParts, reasonOf } from './pack';
import { operationInput, operationScript } from './operation-script';
import head from './pack-head.sh';
import { brokenSentence, restoreSentence, warningOf } from './restore-words';
import going from './restore-back.sh';
import restoring from './restore.sh';
import boot from './php/boot.php';
import leftTables from './php/leftover-tables.php';
import lostOptions from './php/lost-options.php';
import maintenance from './php/maintenance.php';
import neighbours from './php/foreign-tables.php';
import restoreCheck from './php/restore-check.php';
import restoreEnd from './php/restore-end.php';
import restoreSite from './php/restore-site.php';
import restoreStart from './php/restore-start.php';
import runRestore from './php/run-restore.php';
import scope from './php/scope.php';
import swap from './php/swap.php';
import tableNote from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import { onDescriptor4, sentData } from './run-php';
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
const swapping = [
  maintenance,
  neighbours,
  scope,
  swap,
  tableNote,
  tableSwap,
  leftTables,
  boot,
  lostOptions,
  restoreCheck,
  restoreStart,
  restoreEnd,
  restoreSite,
  runRestore,
];
const program = onDescriptor4(...new Set([...packParts, ...unpackParts, ...loadParts, ...swapping]));

/** Restores a site, completely or not at all. The journal id is the job's. */
export const restoreTask = (order: RestoreOrder) => ({
  script: operationScript(program, head, restoring),
  input: inputOf(order),
});

/** Finishes a restore that was killed; may run repeatedly. */
export const bringBackTask = (order: RestoreOrder) => ({
  script: operationScript(program, head, going),
  input: inputOf(order),
});

function inputOf(order: RestoreOrder): string {
  const { name, safety, php, site: of, seconds = defaultSeconds } = order;
  if (![name, safety ?? name].every((one) => nameForm.test(one))) throw new Error('not the name of an archive');
  return operationInput(php, of.path, String(Math.ceil(seconds)), sentData({ ...order, api: null }));
}

export type RestoreProgress = {
  step: 'checks' | 'read' | 'safety' | 'files' | 'database' | 'exchange' | 'start' | 'end' | 'back';
  done: number | null;
  total: number | null;
};

type Counts = Record<'files' | 'removed' | 'skipped' | 'tables' | 'rows', number>;
type Exchanged = Counts & { examples: string[]; size?: number };
export type RestoreEnd =
  /** `lost`: keys, triggers or views that could not be created again. */
  | ({ is: 'done'; warnings: string[]; lost: string[] } & Exchanged)
  /** The restore is undone. `touched`: the site had already changed, and is as before again. */
  | { is: 'undone'; touched: boolean; code: string; message: string; remedy: string };

const whole = z.int().min(0);
const text = z.string().default('');
const why = { code: z.string(), why: text, words: text, path: text, needed: whole.default(0), free: whole.default(0) };
const Line = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({
    is: z.literal('step'),
    step: z.enum(['checks', 'read', 'safety', 'files', 'database', 'exchange', 'start', 'end', 'back']),
    done: whole.nullish(),
    total: whole.nullish(),
  }),
  z.object({ is: z.literal('safety'), name: z.string(), size: whole }),
  z.object({
    is: z.literal('warning'),
    code: z.string(),
    name: text,
    words: text,
    list: z.array(z.string()).max(50).default([]),
  }),
  z.object({
    is: z.literal('exchanged'),
    files: whole,
    removed: whole,
    skipped: whole,
    examples: z.array(z.string()).max(50),
    tables: whole,
    rows: whole,
    // Restores of an older release report no size.
    size: whole.optional(),
    memory: whole.default(0),
  }),
  z.object({ is: z.literal('broken'), words: text, path: text }),
  z.object({ is: z.literal('begun') }),
  z.object({ is: z.literal('done') }),
  z.object({ is: z.literal('back'), touched: z.boolean() }),
  z.object({ is: z.enum(['refused', 'failed', 'stuck']), ...why }),
  z.object({ is: z.literal('over'), code: z.int() }),
]);
type Line = z.infer<typeof Line>;
type Why = Pick<RestoreEnd & { is: 'undone' }, 'code' | 'message' | 'remedy'>;

const maxWarnings = 50;
const nobody = { why: '', words: '', path: '', needed: 0, free: 0 };

/** Reads the progress lines of a restore and of the operations that finish it. */
export class RestoreReader {
  end: RestoreEnd | undefined;
  safety: { filename: string; size: number } | undefined;
  /** Peak memory of PHP in bytes, above what it used before it read the archive. */
  memory: number | undefined;
  /** From the swap on, the restore can no longer be stopped. */
  isExchanging = false;
  private readonly lines = new ReportLines(Line);
  private as = '';
  private exchanged: Exchanged | undefined;
  private readonly warnings: string[] = [];
  private readonly lost: string[] = [];
  private hasBegun = false;
  private isDone = false;
  private back: { touched: boolean } | undefined;
  private reason: Why | undefined;

  hear(line: string): RestoreProgress | undefined {
    const told = this.lines.read(line);
    if (told?.is === 'step') return this.takeStep(told);
    if (told) this.take(told);
    return undefined;
  }

  /** Continues with the output of a following operation, which announces its own word. */
  goOn(): void {
    this.lines.goOn();
  }

  private takeStep({ step, done, total }: Extract<Line, { is: 'step' }>): RestoreProgress | undefined {
    this.isExchanging ||= step === 'exchange';
    return this.back ? undefined : { step, done: done ?? null, total: total ?? null };
  }

  private take(told: Exclude<Line, { is: 'step' }>): void {
    if (told.is === 'as') this.as = told.as;
    else if (told.is === 'safety') this.safety = { filename: told.name, size: told.size };
    else if (told.is === 'warning') this.warn(told);
    else if (told.is === 'exchanged') [this.exchanged, this.memory] = [countsOf(told), told.memory];
    else if (told.is === 'begun') this.hasBegun = true;
    else if (told.is === 'done') this.isDone = true;
    else if (told.is === 'back') this.back = { touched: told.touched };
    else if (told.is === 'broken')
      this.reason ??= brokenSentence(cleanText(told.words, 400), cleanText(told.path, 300));
    else if (told.is === 'over') this.settle(told.code);
    else if (told.is !== 'stuck') this.reason ??= reasonFor(told);
  }

  private warn(told: Extract<Line, { is: 'warning' }>): void {
    const list = told.list.map((one) => cleanText(one, 200));
    const sentences = told.code === 'definition' ? this.lost : this.warnings;
    if (sentences.length < maxWarnings) sentences.push(warningOf({ ...cleaned(told), list }));
  }

  private settle(code: number): void {
    if (this.isDone && this.exchanged)
      this.end = { is: 'done', warnings: this.warnings, lost: this.lost, ...this.exchanged };
    else if (this.back ?? !this.hasBegun) {
      this.end = { is: 'undone', touched: false, ...this.back, ...(this.reason ?? this.unsaid(code)) };
    }
  }

  private unsaid(code: number): Why {
    const reason = reasonOf(code, this.as);
    return { code: reason, ...restoreSentence(reason, nobody) };
  }
}

const countsOf = (told: Extract<Line, { is: 'exchanged' }>): Exchanged => ({
  files: told.files,
  removed: told.removed,
  skipped: told.skipped,
  examples: told.examples.map((one) => cleanText(one, 300)),
  tables: told.tables,
  rows: told.rows,
  ...(told.size !== undefined && { size: told.size }),
});

const reasonFor = (told: Extract<Line, { is: 'refused' | 'failed' | 'stuck' }>): Why => ({
  code: cleanText(told.code, 40),
  ...restoreSentence(told.code, cleaned(told)),
});

const cleaned = <T extends { words: string; path?: string; name?: string }>(told: T): T => ({
  ...told,
  words: cleanText(told.words, 400),
  ...(told.path !== undefined && { path: cleanText(told.path, 300) }),
  ...(told.name !== undefined && { name: cleanText(told.name, 200) }),
});
