import type { ItemKind } from '@vigie/contracts/changes';
import { slugRule } from '@vigie/contracts/inventory';
import { z } from 'zod';
import head from './change-head.sh';
import { failureSentence, stepTitle } from './change-words';
import startSh from './change-start.sh';
import changeSh from './change.sh';
import { cleanText } from './clean';
import rollbackCopy from './php/rollback-copy.php';
import rollbackTables from './php/rollback-tables.php';
import boot from './php/boot.php';
import change from './php/change.php';
import { loadParts } from './load-parts';
import { LogPosition } from './logs';
import { requireUuid, operationInput, operationScript } from './operation-script';
import files from './php/files.php';
import itemPhp from './php/item.php';
import objectCache from './php/object-cache.php';
import logs from './php/logs.php';
import readRollbackCopy from './php/read-rollback-copy.php';
import rollback from './php/rollback.php';
import offers from './php/offers.php';
import changeSteps from './php/change-steps.php';
import run from './php/run-change.php';
import itemOptions from './php/item-options.php';
import database from './php/database.php';
import dump from './php/dump.php';
import leftoverTables from './php/leftover-tables.php';
import maintenance from './php/maintenance.php';
import migration from './php/migration.php';
import foreignTables from './php/foreign-tables.php';
import room from './php/room.php';
import sitePhp from './php/site.php';
import start from './php/start.php';
import scanDatabase from './php/scan-database.php';
import tableSwapState from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import operationPhp from './php/operation.php';
import updateLocks from './php/update-locks.php';
import upgrade from './php/upgrade.php';
import rollbackSh from './rollback.sh';
import { onDescriptor4, encodeInput } from './run-php';
import tidySh from './tidy.sh';
import { ReportLines } from './report-lines';

/** A change of one item of one site, as the PHP program receives it. */
export type ChangeOrder = {
  /** The uuid of the job. */
  operation: string;
  site: { id: string; path: string; url: string };
  php: string;
  /** A server that stands for WordPress.org. */
  api: string | null;
  action: 'update' | 'install' | 'activate' | 'deactivate' | 'restore';
  item: { kind: ItemKind; slug: string; name: string };
  /** The version that the user confirmed. */
  to: string | null;
  /** For an install: whether to activate it. */
  activate: boolean;
  /** Must lie at `packagePath` before the operation begins. */
  package: { sha256: string; size: number; unpacked: number | null } | null;
  /** For a restore: the operation that made the copy. */
  rollbackCopyId: string | null;
  /** To undo or tidy up: the operation that updated this item together with others, if one did. */
  together?: string | null;
  /** For each step, in addition to the time for the bytes to copy. */
  seconds?: number;
};

export type Task = { script: string; input: string };

/** Where the archive to install must lie: a folder that only the login can read. */
export const packagePath = (home: string, operation: string) => `${home}/.vigie/packages/${requireUuid(operation)}.zip`;

export const defaultSeconds = 600;
const baseParts = [operationPhp, files, room, logs, rollbackCopy, readRollbackCopy, rollback, start, boot, itemPhp];
export const fileParts = [...baseParts, offers, upgrade, maintenance, updateLocks, change, itemOptions, changeSteps];
/** An update of WordPress also changes its tables. */
const tableParts = [
  sitePhp,
  scanDatabase,
  ...loadParts,
  database,
  dump,
  foreignTables,
  tableSwapState,
  tableSwap,
  leftoverTables,
  objectCache,
  rollbackTables,
  migration,
];
const programs = { files: onDescriptor4(...fileParts, run), both: onDescriptor4(...fileParts, ...tableParts, run) };

/** Makes a rollback copy of the item, then changes it with WordPress's own classes. The journal id is the job's. */
export const changeTask = (order: ChangeOrder): Task => ({
  script: scriptOf(order, `${startSh}\n${changeSh}`),
  input: inputOf(order),
});

/**
 * Restores the rollback copy of `operation` without starting plugins or theme. May run after any interruption of that
 * operation or of itself. `maxAgeMinutes`: minutes after which tables are not restored any more.
 */
export const rollbackTask = (order: ChangeOrder, maxAgeMinutes: number | null = null): Task => ({
  script: scriptOf(order, rollbackSh),
  input: inputOf(order, maxAgeMinutes),
});

/** Gives the files of `operation` their final names, for one that was killed after it had reported its end. */
export const tidyTask = (order: ChangeOrder): Task => ({ script: scriptOf(order, tidySh), input: inputOf(order) });

const scriptOf = ({ item: { kind } }: ChangeOrder, main: string) =>
  operationScript(programs[kind === 'core' ? 'both' : 'files'], head, main);

function inputOf(order: ChangeOrder, maxAgeMinutes: number | null = null): string {
  const { action, rollbackCopyId, together = null } = order;
  const folder = copyFolder(order.item);
  return changeInput(order, {
    folder,
    action,
    hasPackage: order.package !== null,
    rollbackCopyId,
    maxAgeMinutes,
    together,
  });
}

/** The folder of an item's rollback copies below that of its site. */
export function copyFolder({ kind, slug }: Pick<ChangeOrder['item'], 'kind' | 'slug'>): string {
  if (!slugRule.test(slug)) throw new Error('not the slug of an item');
  return `${kind}.${slug}`;
}

type InputLines = {
  folder: string;
  action: ChangeOrder['action'];
  hasPackage?: boolean;
  rollbackCopyId?: string | null;
  maxAgeMinutes?: number | null;
  together?: string | null;
  /** The job and the folder of each item of an update of several. */
  items?: readonly (readonly [string, string])[];
};

/** The lines that `change-head.sh` reads; the last is the whole order, for PHP. */
export function changeInput(
  order: Pick<ChangeOrder, 'operation' | 'site' | 'php' | 'seconds'>,
  {
    folder,
    action,
    hasPackage = false,
    rollbackCopyId = null,
    maxAgeMinutes = null,
    together = null,
    items = [],
  }: InputLines,
): string {
  const { php, site, operation, seconds = defaultSeconds } = order;
  return operationInput(
    php,
    site.path,
    String(Math.ceil(seconds)),
    requireUuid(operation),
    requireUuid(site.id),
    folder,
    action,
    hasPackage ? 'package' : '-',
    rollbackCopyId === null ? '-' : requireUuid(rollbackCopyId),
    String(maxAgeMinutes ?? '-'),
    together === null ? '-' : requireUuid(together),
    items.map(([job, itemFolder]) => `${requireUuid(job)} ${itemFolder}`).join(' '),
    encodeInput(order),
  );
}

export type ChangeProgress = { step: string; done: number | null; total: number | null } | { line: string };
const RollbackCopyInfo = z.object({ version: z.string().nullable(), bytes: z.int(), has_tables: z.boolean() });
export type RollbackCopyInfo = z.infer<typeof RollbackCopyInfo>;
/** A schema, because the job keeps this end in its checkpoint. */
export const ChangeDone = z.object({
  is: z.literal('done'),
  from: z.string().nullable(),
  to: z.string().nullable(),
  name: z.string(),
  status: z.enum(['active', 'inactive']).nullable(),
  rollbackCopy: RollbackCopyInfo.nullable(),
});
export type ChangeDone = z.infer<typeof ChangeDone>;
export type ChangeEnd =
  | (ChangeDone & { messages: string[] })
  | { is: 'refused'; code: string; message: string; remedy: string }
  | {
      is: 'failed';
      code: string;
      message: string;
      remedy: string;
      rollbackCopy: RollbackCopyInfo | null;
      touched: boolean;
      messages: string[];
    };

const optionalText = z.string().nullish();
const count = z.int().min(0);
export const ReportLine = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({ is: z.literal('step'), step: z.string(), done: count.nullish(), total: count.nullish() }),
  z.object({ is: z.literal('said'), text: z.string() }),
  z.object({ is: z.literal('logs'), places: z.array(LogPosition).max(20) }),
  z.object({ is: z.literal('aside'), bytes: count, is_copy: z.boolean(), has_tables: z.boolean().default(false) }),
  z.object({ is: z.literal('found'), version: optionalText, name: optionalText, starts: z.boolean().nullish() }),
  z.object({ is: z.literal('changing') }),
  z.object({ is: z.literal('tables-back') }),
  z.object({
    is: z.literal('done'),
    from: optionalText,
    to: optionalText,
    name: optionalText,
    status: z.enum(['active', 'inactive']).nullish(),
  }),
  z.object({
    is: z.enum(['refused', 'failed']),
    code: z.string(),
    why: optionalText,
    words: optionalText,
    path: optionalText,
    most: optionalText,
    touched: z.boolean().default(true),
  }),
  z.object({ is: z.literal('over'), code: z.int(), seconds: count.nullish() }),
]);
export type ReportLine = z.infer<typeof ReportLine>;

const maxMessages = 60;
const refusalsByRights: Record<string, { code: string; why: string }> = {
  'root-owned': { code: 'changes_forbidden', why: 'owner' },
  'unsure-owner': { code: 'changes_forbidden', why: 'owner' },
  'no-tool': { code: 'changes_forbidden', why: 'owner' },
  'no-wordpress': { code: 'refused_by_wordpress', why: 'absent' },
};

/** Reads the progress lines of a change, rollback or tidy operation. */
export class ChangeReader {
  reached: 'nothing' | 'aside' | 'changing' | 'ended' = 'nothing';
  logs: LogPosition[] = [];
  /** Whether the site started quickly before the change; null where it was not started. */
  starts: boolean | null = null;
  end: ChangeEnd | undefined;
  /** Whether the tables of the copy are back, and later writes to the database are lost. */
  hasTablesBack = false;
  private readonly lines = new ReportLines(ReportLine);
  private rights = '';
  private copyInfo: RollbackCopyInfo | null = null;
  private version: string | null = null;
  private name: string;
  private hasCopy = false;
  private readonly messages: string[] = [];

  constructor(private readonly order: Pick<ChangeOrder, 'item'>) {
    this.name = order.item.name;
  }

  readLine(line: string): ChangeProgress | undefined {
    const report = this.lines.read(line);
    return report && this.apply(report);
  }

  apply(report: ReportLine): ChangeProgress | undefined {
    if (this.end) return undefined;
    if (report.is === 'step')
      return { step: stepTitle(report.step), done: report.done ?? null, total: report.total ?? null };
    if (report.is === 'said') return this.addMessage(report.text);
    if (report.is === 'as') this.rights = report.as;
    else if (report.is === 'logs') this.logs = report.places;
    else if (report.is === 'found') {
      this.version = textOf(report.version, 100);
      this.name = textOf(report.name, 200) ?? this.name;
      this.starts = report.starts ?? null;
    } else if (report.is === 'aside') {
      this.reached = 'aside';
      this.hasCopy = true;
      this.copyInfo = report.is_copy
        ? { version: this.version, bytes: report.bytes, has_tables: report.has_tables }
        : null;
    } else if (report.is === 'tables-back') {
      this.hasTablesBack = true;
    } else if (report.is === 'changing') {
      this.reached = 'changing';
    } else {
      this.reached = 'ended';
      this.end = this.endOf(report);
    }
    return undefined;
  }

  private addMessage(report: string): ChangeProgress | undefined {
    const line = cleanText(report, 500);
    if (line === '' || this.messages.length >= maxMessages) return undefined;
    this.messages.push(line);
    return { line };
  }

  private endOf(report: Extract<ReportLine, { is: 'done' | 'refused' | 'failed' | 'over' }>): ChangeEnd {
    const { copyInfo, messages } = this;
    if (report.is === 'done') {
      const name = textOf(report.name, 200) ?? this.name;
      const [from, to] = [textOf(report.from, 100) ?? this.version, textOf(report.to, 100)];
      return { is: 'done', from, to, name, status: report.status ?? null, rollbackCopy: copyInfo, messages };
    }
    if (report.is === 'over') return this.endOfProcess(report.code, report.seconds ?? defaultSeconds);
    const code = cleanText(report.code, 40);
    const sentence = this.sentence(code, report);
    if (report.is === 'refused') return { is: 'refused', code, ...sentence };
    return { is: 'failed', code, ...sentence, rollbackCopy: copyInfo, touched: report.touched, messages };
  }

  /** Describes the end of a process that reported none. */
  private endOfProcess(exitCode: number, seconds: number): ChangeEnd {
    // A PHP that outlives its shell may go on after the end was reported: once a copy exists, the item may be changed.
    const { copyInfo, messages, hasCopy: touched } = this;
    const refusal = touched ? undefined : refusalsByRights[this.rights];
    if (refusal) return { is: 'refused', code: refusal.code, ...this.sentence(refusal.code, refusal) };
    if (exitCode === 126 || exitCode === 127) return { is: 'refused', code: 'no_php', ...this.sentence('no_php', {}) };
    const why = exitCode === 124 ? 'late' : 'died';
    const sentence = this.sentence('interrupted', { why, most: `${seconds}\u00a0s` });
    return { is: 'failed', code: 'interrupted', ...sentence, rollbackCopy: copyInfo, touched, messages };
  }

  private sentence(
    code: string,
    { why, words, path, most: max }: Partial<Record<'why' | 'words' | 'path' | 'most', string | null>>,
  ) {
    return failureSentence(code, {
      name: this.name,
      kind: this.order.item.kind,
      why: why ?? '',
      words: textOf(words, 400) ?? '',
      path: textOf(path, 300) ?? '',
      most: textOf(max, 60) ?? '',
    });
  }
}

function textOf(value: string | null | undefined, max: number): string | null {
  const text = cleanText(value ?? '', max);
  return text === '' ? null : text;
}
