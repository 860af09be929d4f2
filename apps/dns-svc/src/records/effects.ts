import type { ProviderRecord, Write, WrittenRecord } from '../providers/provider';
import { isSameRecord } from './canonical';

/** Finds the effect of an unanswered write; undefined when it was not applied. `knownIds` are the ids from before it. */
export function findEffect(
  write: Write,
  records: readonly ProviderRecord[],
  knownIds: ReadonlySet<string>,
): WrittenRecord | undefined {
  if (write.action === 'delete') return records.some(({ id }) => id === write.id) ? undefined : null;
  const { record } = write;
  const matches = (current: ProviderRecord) =>
    isSameRecord(current, record) && current.ttl === record.ttl && current.proxied === record.proxied;
  return write.action === 'edit'
    ? // An edit may concern only the comment.
      records.find((current) => current.id === write.id && matches(current) && current.comment === record.comment)
    : records.find((current) => !knownIds.has(current.id) && matches(current));
}
