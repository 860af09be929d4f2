import type { HeldRecord, Write, Written } from '../providers/provider';
import { isSameRecord } from './canonical';

/** Finds the effect of an unanswered write; undefined when it was not applied. `known` holds the ids from before it. */
export function effectOf(
  write: Write,
  records: readonly HeldRecord[],
  known: ReadonlySet<string>,
): Written | undefined {
  if (write.action === 'delete') return records.some(({ id }) => id === write.id) ? undefined : null;
  const { record } = write;
  const isThere = (held: HeldRecord) =>
    isSameRecord(held, record) && held.ttl === record.ttl && held.proxied === record.proxied;
  return write.action === 'edit'
    ? // An edit may concern only the comment.
      records.find((held) => held.id === write.id && isThere(held) && held.comment === record.comment)
    : records.find((held) => !known.has(held.id) && isThere(held));
}
