import type { FastifyReply } from 'fastify';

const maxInPart = 200;

type Asked = { offset: number; limit?: number | undefined };
type Part<T> = { items: T[]; total: number };

/** An array and its whole length, in parts: a message on the bus is a megabyte at most. */
export async function answerList<T>(
  { offset, limit }: Asked,
  reply: FastifyReply,
  askPart: (part: { offset: number; limit: number }) => Promise<Part<T>>,
): Promise<T[]> {
  const { items, total } = await askPart({ offset, limit: Math.min(limit ?? maxInPart, maxInPart) });
  void reply.header('x-total-count', total);
  const wanted = Math.min(limit ?? total, total - offset);
  while (items.length < wanted) {
    const part = await askPart({ offset: offset + items.length, limit: Math.min(wanted - items.length, maxInPart) });
    // Some of them were deleted meanwhile.
    if (part.items.length === 0) break;
    items.push(...part.items);
  }
  return items;
}

/** The same for a list in an envelope, whose other fields are those of its first part. */
export async function answerEnvelope<K extends string, A extends { total: number } & Record<K, unknown[]>>(
  field: K,
  asked: Asked,
  reply: FastifyReply,
  askPart: (part: { offset: number; limit: number }, first: A | undefined) => Promise<A>,
): Promise<A> {
  let first: A | undefined;
  const items = await answerList(asked, reply, async (part) => {
    const answer = await askPart(part, first);
    first ??= answer;
    return { items: answer[field], total: answer.total };
  });
  if (!first) throw new Error('a list has a first part');
  return { ...first, [field]: items };
}
