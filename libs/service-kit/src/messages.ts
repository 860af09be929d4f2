/** What the bus carries in one message, less the envelope. */
export const maxMessageBytes = 1_000_000;
/** Of that, with room for what is around them. */
export const defaultBytes = 700_000;

/** As many as one message carries; whoever asks goes on behind them. */
export function fitInMessage<T>(items: readonly T[], max = defaultBytes): T[] {
  let bytes = 0;
  const over = items.findIndex((item, at) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > max && at > 0);
  return items.slice(0, over < 0 ? undefined : over);
}
