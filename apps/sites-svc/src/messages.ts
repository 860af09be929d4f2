/** Of a megabyte, with room for what is around them. */
const usualBytes = 700_000;

/** As many as one message carries; whoever asks goes on behind them. */
export function asMessage<T>(items: T[], mostBytes = usualBytes): T[] {
  let bytes = 0;
  const over = items.findIndex(
    (item, at) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > mostBytes && at > 0,
  );
  return over < 0 ? items : items.slice(0, over);
}
