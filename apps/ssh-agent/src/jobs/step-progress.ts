import type { JobContext } from './job-handler';

/** Reports the current step, and the result of each step once it is known. */
export function stepReporter<S extends string>(
  report: JobContext['report'],
  steps: readonly S[],
  names: Readonly<Record<S, string>>,
) {
  const done = new Set<S>();
  const progress = () => {
    const step = steps.find((name) => !done.has(name));
    return { step: step ? names[step] : 'Fin', done: done.size, total: steps.length };
  };
  report(progress());
  return ({ step, message }: { step: S; message: string }) => {
    done.add(step);
    report(progress(), `${names[step]}\u00a0: ${message}`);
  };
}
