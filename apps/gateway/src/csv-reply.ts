import { Readable } from 'node:stream';
import { byteOrderMark, csvLine } from '@vigie/contracts/csv';
import type { FastifyReply } from 'fastify';

/** A client that reads nothing for that long is gone. */
const stalledMs = 60_000;

type Part<L, N> = { lines: readonly L[]; next: N | null };
type Table<L, N> = {
  /** A constant of ours: it goes into a header as it is. */
  filename: string;
  heads: readonly string[];
  fieldsOf: (line: L) => readonly string[];
  /** Fetches the first part without `after`. */
  fetchPart: (after?: N) => Promise<Part<L, N>>;
};

/** Streams a CSV file without holding it in memory. */
export async function replyCsv<L, N>(reply: FastifyReply, table: Table<L, N>): Promise<void> {
  // The first part is fetched before anything is sent, so that a refusal can still be answered.
  const first = await table.fetchPart();
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
  void reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${table.filename}"`,
    })
    .send(Readable.from(textsOf(first, table), { objectMode: false }));
}

async function* textsOf<L, N>(first: Part<L, N>, { heads, fieldsOf, fetchPart }: Table<L, N>) {
  yield byteOrderMark + csvLine(heads);
  for (let part = first; ; part = await fetchPart(part.next)) {
    yield part.lines.map((line) => csvLine(fieldsOf(line))).join('');
    if (part.next === null) return;
  }
}
