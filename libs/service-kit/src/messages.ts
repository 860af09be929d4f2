export const maxMessageBytes = 1_000_000;
/** Leaves room for the other fields of an answer. */
export const defaultBytes = 700_000;

/** Returns as many items as fit in one message; the caller asks for the rest. */
export function fitInMessage<T>(items: readonly T[], max = defaultBytes): T[] {
  let bytes = 0;
  const firstExcess = items.findIndex(
    (item, at) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > max && at > 0,
  );
  return items.slice(0, firstExcess < 0 ? undefined : firstExcess);
}
