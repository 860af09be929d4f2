import type { HeldRecord, Write, Written } from '../providers/provider';
import { isSameRecord } from './canonical';

/** What is there of a write that nobody answered; undefined where it was not done. `known` was there before it. */
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
    ? // A comment alone may be what was changed.
      records.find((held) => held.id === write.id && isThere(held) && held.comment === record.comment)
    : records.find((held) => !known.has(held.id) && isThere(held));
}
