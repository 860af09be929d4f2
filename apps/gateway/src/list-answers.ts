import type { FastifyReply } from 'fastify';

/** A bus message is a megabyte at most, so a long list is read in parts. */
const maxPartLength = 200;

type PageRequest = { offset: number; limit?: number | undefined };
/** An output with a list and its whole length, and perhaps the version that all parts have to be of. */
type Part = Readonly<Record<string, unknown>> & { total: number; version?: unknown };
type FetchPart = (part: object) => Promise<unknown>;

/** Reads a list in parts. The other fields are those of the first part. */
async function readParts(field: string, { offset, limit }: PageRequest, fetchPart: FetchPart) {
  const firstPart = { offset, limit: Math.min(limit ?? maxPartLength, maxPartLength) };
  const first = (await fetchPart(firstPart)) as Part;
  const items = [...(first[field] as unknown[])];
  const count = Math.min(limit ?? first.total, first.total - offset);
  while (items.length < count) {
    const part = { offset: offset + items.length, limit: Math.min(count - items.length, maxPartLength) };
    const next = (await fetchPart({ ...part, version: first.version })) as Part;
    const added = next[field] as unknown[];
    // Items were deleted meanwhile.
    if (added.length === 0) break;
    items.push(...added);
  }
  return { first, items };
}

/** Answers with an array, and the counts of the list as headers. */
export async function answerList(page: PageRequest, reply: FastifyReply, fetchPart: FetchPart): Promise<unknown[]> {
  const { first, items } = await readParts('items', page, fetchPart);
  for (const [name, value] of Object.entries(first)) {
    if (typeof value === 'number') void reply.header(`x-${name}-count`, value);
  }
  return items;
}

/** Answers with the whole output, whose list is in this field. */
export async function answerPages(
  field: string,
  page: PageRequest,
  reply: FastifyReply,
  fetchPart: FetchPart,
): Promise<object> {
  const { first, items } = await readParts(field, page, fetchPart);
  void reply.header('x-total-count', first.total);
  return { ...first, [field]: items };
}
