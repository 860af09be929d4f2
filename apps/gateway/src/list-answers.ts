import type { FastifyReply } from 'fastify';

const maxPartLength = 200;

type PageRequest = { offset: number; limit?: number | undefined };
type Part<T> = { items: T[]; total: number };

/** Answers with an array and its total length, fetched in parts: a bus message is a megabyte at most. */
export async function answerList<T>(
  { offset, limit }: PageRequest,
  reply: FastifyReply,
  fetchPart: (part: { offset: number; limit: number }) => Promise<Part<T>>,
): Promise<T[]> {
  const { items, total } = await fetchPart({ offset, limit: Math.min(limit ?? maxPartLength, maxPartLength) });
  void reply.header('x-total-count', total);
  const count = Math.min(limit ?? total, total - offset);
  while (items.length < count) {
    const part = await fetchPart({
      offset: offset + items.length,
      limit: Math.min(count - items.length, maxPartLength),
    });
    // Items were deleted meanwhile.
    if (part.items.length === 0) break;
    items.push(...part.items);
  }
  return items;
}

/** Answers with a list in an envelope, whose other fields are those of the first part. */
export async function answerEnvelope<K extends string, A extends { total: number } & Record<K, unknown[]>>(
  field: K,
  page: PageRequest,
  reply: FastifyReply,
  fetchPart: (part: { offset: number; limit: number }, first: A | undefined) => Promise<A>,
): Promise<A> {
  let first: A | undefined;
  const items = await answerList(page, reply, async (part) => {
    const answer = await fetchPart(part, first);
    first ??= answer;
    return { items: answer[field], total: answer.total };
  });
  if (!first) throw new Error('a list without a first part');
  return { ...first, [field]: items };
}
