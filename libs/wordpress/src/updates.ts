import { z } from 'zod';
import head from './change-head.sh';
import startSh from './change-start.sh';
import {
  changeInput,
  type ChangeEnd,
  type ChangeOrder,
  type ChangeProgress,
  ChangeReader,
  copyFolder,
  defaultSeconds,
  fileParts,
  ReportLine,
  type Task,
} from './change';
import type { LogPosition } from './logs';
import { operationScript } from './operation-script';
import run from './php/run-change.php';
import updates from './php/updates.php';
import { ReportLines } from './report-lines';
import { onDescriptor4 } from './run-php';
import updatesSh from './updates.sh';

/** Updates of several plugins and themes of one site, as the PHP program receives them. */
export type UpdatesOrder = Pick<ChangeOrder, 'site' | 'php' | 'api' | 'seconds'> & {
  /** The uuid of this operation in the host's journal. */
  operation: string;
  /** `operation`: the uuid of the item's job, which names its rollback copy. */
  items: readonly UpdatesItem[];
};
type UpdatesItem = Pick<ChangeOrder, 'operation' | 'to'> & { item: ChangeOrder['item'] & { kind: 'plugin' | 'theme' } };

/** For each item but the first, on top of the time that one change gets. */
const secondsPerItem = 60;
const program = onDescriptor4(...fileParts, updates, run);

/**
 * Updates several items in one start of WordPress: makes the rollback copies of all, then updates one after the other.
 * Each item can be rolled back alone, as if a change of its own had updated it.
 */
export function updatesTask(order: UpdatesOrder): Task {
  const { operation } = order;
  const items = order.items.map((each) => [each.operation, copyFolder(each.item)] as const);
  const different = [new Set(items.map(([job]) => job)), new Set(items.map(([, folder]) => folder))];
  if (different.some(({ size }) => size !== items.length)) throw new Error('an item is there twice');
  const seconds = order.seconds ?? defaultSeconds + secondsPerItem * (items.length - 1);
  const data = { ...order, seconds, action: 'update' as const, activate: false, package: null, together: operation };
  return {
    script: operationScript(program, head, `${startSh}\n${updatesSh}`),
    input: changeInput(data, { folder: 'updates', action: 'update', items }),
  };
}

/** `of`: the operation of the item that a line is about; lines about all items have none. */
const ItemLine = ReportLine.and(z.object({ of: z.string().optional() }));
type ItemLine = z.infer<typeof ItemLine>;
const UpdatesLine = z.union([z.object({ is: z.literal('apart') }), z.object({ is: z.literal('ended') }), ItemLine]);

/** Reads the progress lines of an update of several items. */
export class UpdatesReader {
  /** Of the whole operation. */
  reached: ChangeReader['reached'] = 'nothing';
  logs: LogPosition[] = [];
  /** Whether the site started quickly before the updates; null where it was not started. */
  starts: boolean | null = null;
  /** Nothing was changed, and the items must be updated one by one. */
  isApart = false;
  private readonly lines = new ReportLines(UpdatesLine);
  private readonly readers: ReadonlyMap<string, ChangeReader>;
  /** The item whose report came last. */
  private current: string | undefined;

  constructor({ items }: Pick<UpdatesOrder, 'items'>) {
    this.readers = new Map(items.map((each) => [each.operation, new ChangeReader(each)]));
  }

  /** The end of each item, by the operation of its job; the items behind one that failed have none. */
  get ends(): ReadonlyMap<string, ChangeEnd> {
    return new Map([...this.readers].flatMap(([operation, { end }]) => (end ? [[operation, end]] : [])));
  }

  /** `operation`: that of the item; null for progress of all items. */
  readLine(line: string): { operation: string | null; progress: ChangeProgress } | undefined {
    const report = this.lines.read(line);
    if (!report || this.reached === 'ended') return undefined;
    if (report.is === 'apart' || report.is === 'ended') {
      this.isApart = report.is === 'apart';
      this.reached = 'ended';
      return undefined;
    }
    const progress = this.apply(report);
    return progress && { operation: report.of ?? null, progress };
  }

  private apply(report: ItemLine): ChangeProgress | undefined {
    this.current = report.is === 'changing' ? undefined : (report.of ?? this.current);
    const progress = this.readersOf(report).map((reader) => reader.apply(report));
    if (report.is === 'logs') this.logs = report.places;
    else if (report.is === 'found') this.starts ??= report.starts ?? null;
    else if (report.is === 'aside' || report.is === 'changing') this.reached = report.is;
    if (report.is === 'over' || report.is === 'failed' || this.ends.size === this.readers.size) this.reached = 'ended';
    return progress.find((each) => each !== undefined);
  }

  /** A report without an item is about all; the end of a process that reported none is that of the current item. */
  private readersOf({ is, of }: ItemLine): ChangeReader[] {
    const readers = [...this.readers.values()];
    if (is === 'over') {
      const current = this.readers.get(this.current ?? '');
      const last = current?.end ? undefined : current;
      return [last ?? readers.find(({ end }) => !end) ?? []].flat();
    }
    return readers.filter((reader) => of === undefined || reader === this.readers.get(of));
  }
}
