import type { ItemKind } from '@vigie/contracts/changes';
import { slugRule } from '@vigie/contracts/inventory';
import { z } from 'zod';
import head from './change-head.sh';
import { sentenceOf, stepOf } from './change-words';
import changing from './change.sh';
import { cleanText } from './clean';
import asideWriter from './php/rollback-copy.php';
import asideTables from './php/rollback-tables.php';
import boot from './php/boot.php';
import change from './php/change.php';
import { loadParts } from './load-parts';
import { LogPlace } from './logs';
import { checkedUuid, operationInput, operationScript } from './operation-script';
import files from './php/files.php';
import item from './php/item.php';
import objectCache from './php/object-cache.php';
import logPlaces from './php/logs.php';
import readAside from './php/read-rollback-copy.php';
import putBack from './php/rollback.php';
import offers from './php/offers.php';
import operationParts from './php/change-steps.php';
import run from './php/run-change.php';
import settings from './php/item-options.php';
import database from './php/database.php';
import dump from './php/dump.php';
import leftTables from './php/leftover-tables.php';
import maintenance from './php/maintenance.php';
import migration from './php/migration.php';
import neighbours from './php/foreign-tables.php';
import room from './php/room.php';
import siteReader from './php/site.php';
import start from './php/start.php';
import tables from './php/scan-database.php';
import tableNote from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import tell from './php/operation.php';
import upgrade from './php/upgrade.php';
import rollingBack from './rollback.sh';
import { onDescriptor4, sentData } from './run-php';
import tidying from './tidy.sh';
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
  asideId: string | null;
  /** For each step, in addition to the time for the bytes to copy. */
  seconds?: number;
};

type Task = { script: string; input: string };

/** Where the archive to install must lie: a folder that only the login can read. */
export const packagePath = (home: string, operation: string) => `${home}/.vigie/packages/${checkedUuid(operation)}.zip`;

const defaultSeconds = 600;
const reading = [tell, files, room, logPlaces, asideWriter, readAside, putBack, start, boot, item];
const parts = [...reading, offers, upgrade, maintenance, change, settings, operationParts];
/** An update of WordPress also changes its tables. */
const tableParts = [
  siteReader,
  tables,
  ...loadParts,
  database,
  dump,
  neighbours,
  tableNote,
  tableSwap,
  leftTables,
  objectCache,
  asideTables,
  migration,
];
const programs = { files: onDescriptor4(...parts, run), both: onDescriptor4(...parts, ...tableParts, run) };

/** Makes a rollback copy of the item, then changes it with WordPress's own classes. The journal id is the job's. */
export const changeTask = (order: ChangeOrder): Task => ({ script: scriptOf(order, changing), input: inputOf(order) });

/**
 * Restores the rollback copy of `operation` without starting plugins or theme. May run after any interruption of that
 * operation or of itself. `young`: minutes after which tables are not restored any more.
 */
export const rollbackTask = (order: ChangeOrder, young: number | null = null): Task => ({
  script: scriptOf(order, rollingBack),
  input: inputOf(order, young),
});

/** Gives the files of `operation` their final names, for one that was killed after it had reported its end. */
export const tidyTask = (order: ChangeOrder): Task => ({ script: scriptOf(order, tidying), input: inputOf(order) });

const scriptOf = ({ item: { kind } }: ChangeOrder, main: string) =>
  operationScript(programs[kind === 'core' ? 'both' : 'files'], head, main);

function inputOf(order: ChangeOrder, young: number | null = null): string {
  const { operation, site, item: of, asideId, seconds = defaultSeconds } = order;
  if (!slugRule.test(of.slug)) throw new Error('an item has a slug');
  return operationInput(
    order.php,
    site.path,
    String(Math.ceil(seconds)),
    checkedUuid(operation),
    checkedUuid(site.id),
    `${of.kind}.${of.slug}`,
    order.action,
    order.package ? 'package' : '-',
    asideId === null ? '-' : checkedUuid(asideId),
    String(young ?? '-'),
    sentData(order),
  );
}

export type ChangeProgress = { step: string; done: number | null; total: number | null } | { line: string };
export type RollbackCopyInfo = { version: string | null; bytes: number; has_tables: boolean };
export type ChangeEnd =
  | {
      is: 'done';
      from: string | null;
      to: string | null;
      name: string;
      status: 'active' | 'inactive' | null;
      aside: RollbackCopyInfo | null;
      said: string[];
    }
  | { is: 'refused'; code: string; message: string; remedy: string }
  | {
      is: 'failed';
      code: string;
      message: string;
      remedy: string;
      aside: RollbackCopyInfo | null;
      touched: boolean;
      said: string[];
    };

const maybe = z.string().nullish();
const whole = z.int().min(0);
const Line = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({ is: z.literal('step'), step: z.string(), done: whole.nullish(), total: whole.nullish() }),
  z.object({ is: z.literal('said'), text: z.string() }),
  z.object({ is: z.literal('logs'), places: z.array(LogPlace).max(20) }),
  z.object({ is: z.literal('aside'), bytes: whole, is_copy: z.boolean(), has_tables: z.boolean().default(false) }),
  z.object({ is: z.literal('found'), version: maybe, name: maybe, starts: z.boolean().nullish() }),
  z.object({ is: z.literal('changing') }),
  z.object({ is: z.literal('tables-back') }),
  z.object({
    is: z.literal('done'),
    from: maybe,
    to: maybe,
    name: maybe,
    status: z.enum(['active', 'inactive']).nullish(),
  }),
  z.object({
    is: z.enum(['refused', 'failed']),
    code: z.string(),
    why: maybe,
    words: maybe,
    path: maybe,
    most: maybe,
    touched: z.boolean().default(true),
  }),
  z.object({ is: z.literal('over'), code: z.int(), seconds: whole.nullish() }),
]);
type Line = z.infer<typeof Line>;

const maxSaid = 60;
const notRun: Record<string, { code: string; why: string }> = {
  'root-owned': { code: 'changes_forbidden', why: 'owner' },
  'unsure-owner': { code: 'changes_forbidden', why: 'owner' },
  'no-tool': { code: 'changes_forbidden', why: 'owner' },
  'no-wordpress': { code: 'refused_by_wordpress', why: 'absent' },
};

/** Reads the progress lines of a change, rollback or tidy operation. */
export class ChangeReader {
  reached: 'nothing' | 'aside' | 'changing' | 'ended' = 'nothing';
  logs: LogPlace[] = [];
  /** Whether the site started quickly before the change; null where it was not started. */
  starts: boolean | null = null;
  end: ChangeEnd | undefined;
  /** Whether the tables of the copy are back, and later writes to the database are lost. */
  hasTablesBack = false;
  private readonly lines = new ReportLines(Line);
  private as = '';
  private copy: RollbackCopyInfo | null = null;
  private version: string | null = null;
  private name: string;
  private isPutAside = false;
  private readonly said: string[] = [];

  constructor(private readonly order: Pick<ChangeOrder, 'item'>) {
    this.name = order.item.name;
  }

  hear(line: string): ChangeProgress | undefined {
    const told = this.end ? undefined : this.lines.read(line);
    return told && this.take(told);
  }

  private take(told: Line): ChangeProgress | undefined {
    if (told.is === 'step') return { step: stepOf(told.step), done: told.done ?? null, total: told.total ?? null };
    if (told.is === 'said') return this.keep(told.text);
    if (told.is === 'as') this.as = told.as;
    else if (told.is === 'logs') this.logs = told.places;
    else if (told.is === 'found') {
      this.version = textOf(told.version, 100);
      this.name = textOf(told.name, 200) ?? this.name;
      this.starts = told.starts ?? null;
    } else if (told.is === 'aside') {
      this.reached = 'aside';
      this.isPutAside = true;
      this.copy = told.is_copy ? { version: this.version, bytes: told.bytes, has_tables: told.has_tables } : null;
    } else if (told.is === 'tables-back') {
      this.hasTablesBack = true;
    } else if (told.is === 'changing') {
      this.reached = 'changing';
    } else {
      this.reached = 'ended';
      this.end = this.endOf(told);
    }
    return undefined;
  }

  private keep(told: string): ChangeProgress | undefined {
    const line = cleanText(told, 500);
    if (line === '' || this.said.length >= maxSaid) return undefined;
    this.said.push(line);
    return { line };
  }

  private endOf(told: Extract<Line, { is: 'done' | 'refused' | 'failed' | 'over' }>): ChangeEnd {
    const { copy: aside, said } = this;
    if (told.is === 'done') {
      const name = textOf(told.name, 200) ?? this.name;
      const [from, to] = [textOf(told.from, 100) ?? this.version, textOf(told.to, 100)];
      return { is: 'done', from, to, name, status: told.status ?? null, aside, said };
    }
    if (told.is === 'over') return this.diedWith(told.code, told.seconds ?? defaultSeconds);
    const code = cleanText(told.code, 40);
    const sentence = this.sentence(code, told);
    if (told.is === 'refused') return { is: 'refused', code, ...sentence };
    return { is: 'failed', code, ...sentence, aside, touched: told.touched, said };
  }

  /** Describes the end of a process that reported none. */
  private diedWith(exit: number, seconds: number): ChangeEnd {
    // A PHP that outlives its shell may go on after the end was reported: once a copy exists, the item may be changed.
    const { copy: aside, said, isPutAside: touched } = this;
    const refusal = touched ? undefined : notRun[this.as];
    if (refusal) return { is: 'refused', code: refusal.code, ...this.sentence(refusal.code, refusal) };
    if (exit === 126 || exit === 127) return { is: 'refused', code: 'no_php', ...this.sentence('no_php', {}) };
    const why = exit === 124 ? 'late' : 'died';
    const sentence = this.sentence('interrupted', { why, most: `${seconds}\u00a0s` });
    return { is: 'failed', code: 'interrupted', ...sentence, aside, touched, said };
  }

  private sentence(
    code: string,
    { why, words, path, most: max }: Partial<Record<'why' | 'words' | 'path' | 'most', string | null>>,
  ) {
    return sentenceOf(code, {
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
