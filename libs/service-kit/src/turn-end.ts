let end: Promise<void> | undefined;

/**
 * The end of this turn of the event loop. Messages that wait for it leave in one write: each write is a system call that
 * wakes the receiver, and costs more than the message.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}
