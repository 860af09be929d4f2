import type { ArchiveDifference, compareArchives } from '@vigie/contracts/backups';
import type { Output } from '@vigie/contracts/contract';
import type { ObjectReader } from '@vigie/files/object-reader';
import { headerLength } from '@vigie/wpress/header';
import type { ArchiveListing } from './archive-listing';

/** Contents are compared only when checksums and dates do not decide; beyond this budget a file counts as unknown. */
const maxBytes = 512 * 1_048_576;
const maxMs = 30_000;
const chunkBytes = 1_048_576;
/** Further differences are only counted. */
const maxDifferences = 20_000;
/** The header of the archive, and the dump, which is compared table by table. */
const ignoredPaths = new Set(['package.json', 'database.sql']);

type Side = { listing: ArchiveListing; reader: ObjectReader };
type ArchivePart = { path: string; size: number; at: number; crc: number | null; mtime: number | null };
type Counts = Output<typeof compareArchives>['counts'];
export type Comparison = { items: ArchiveDifference[]; counts: Counts };

export async function compare(one: Side, other: Side): Promise<Comparison> {
  const comparer = new ArchiveComparer(one.reader, other.reader);
  await comparer.walk('table', tablesOf(one), tablesOf(other));
  await comparer.walk('file', filesOf(one), filesOf(other));
  return { items: comparer.items, counts: comparer.counts };
}

const byPath = (a: ArchivePart, b: ArchivePart) => (a.path < b.path ? -1 : 1);

const filesOf = ({ listing }: Side): ArchivePart[] =>
  listing.entries.flatMap((entry) => (ignoredPaths.has(entry.path) ? [] : { ...entry, at: entry.at + headerLength }));

const tablesOf = ({ listing }: Side): ArchivePart[] =>
  listing.tables
    .map(({ name, at, length }) => ({ path: `database.sql/${name}`, at, size: length, crc: null, mtime: null }))
    .toSorted(byPath);

class ArchiveComparer {
  readonly items: ArchiveDifference[] = [];
  readonly counts: Counts = { added: 0, removed: 0, changed: 0, unknown: 0, same: 0 };
  private bytesRead = 0;
  private readonly deadline = performance.now() + maxMs;

  constructor(
    private readonly one: ObjectReader,
    private readonly other: ObjectReader,
  ) {}

  /** Both lists must be sorted by path. */
  async walk(kind: 'file' | 'table', before: readonly ArchivePart[], after: readonly ArchivePart[]): Promise<void> {
    let [left, right] = [0, 0];
    for (;;) {
      const [a, b] = [before[left], after[right]];
      if (!a && !b) return;
      if (a && (!b || a.path < b.path)) {
        this.addDifference({ path: a.path, kind, is: 'removed', before: a.size, after: null });
        left += 1;
      } else if (b && (!a || b.path < a.path)) {
        this.addDifference({ path: b.path, kind, is: 'added', before: null, after: b.size });
        right += 1;
      } else if (a && b) {
        const is = await this.compare(a, b);
        if (is === 'same') this.counts.same += 1;
        else this.addDifference({ path: a.path, kind, is, before: a.size, after: b.size });
        left += 1;
        right += 1;
      }
    }
  }

  private addDifference(difference: ArchiveDifference): void {
    this.counts[difference.is] += 1;
    if (this.items.length < maxDifferences) this.items.push(difference);
  }

  private async compare(a: ArchivePart, b: ArchivePart): Promise<'same' | 'changed' | 'unknown'> {
    if (a.size !== b.size) return 'changed';
    if (a.crc !== null && b.crc !== null) return a.crc === b.crc ? 'same' : 'changed';
    if (a.mtime !== null && a.mtime === b.mtime) return 'same';
    if (this.bytesRead + a.size > maxBytes || performance.now() > this.deadline) return 'unknown';
    this.bytesRead += a.size;
    for (let at = 0; at < a.size; at += chunkBytes) {
      const length = Math.min(chunkBytes, a.size - at);
      const chunks = await Promise.all([this.one.read(a.at + at, length), this.other.read(b.at + at, length)]);
      if (!chunks[0].equals(chunks[1])) return 'changed';
    }
    return 'same';
  }
}
