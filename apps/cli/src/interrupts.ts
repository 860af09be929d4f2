/** Runs instead of the end of the program when a person or the system interrupts it. Returns a function that ends that. */
export function onInterrupt(run: () => void): () => void {
  process.on('SIGINT', run).on('SIGTERM', run);
  return () => {
    process.off('SIGINT', run).off('SIGTERM', run);
  };
}
