import type { Running } from './job-handler';

/** Says which step is being tried, and what came of each as it is found. */
export function tellingSteps<S extends string>(
  tell: Running['tell'],
  steps: readonly S[],
  names: Readonly<Record<S, string>>,
) {
  const done = new Set<S>();
  const progress = () => {
    const step = steps.find((name) => !done.has(name));
    return { step: step ? names[step] : 'Fin', done: done.size, total: steps.length };
  };
  tell(progress());
  return ({ step, message }: { step: S; message: string }) => {
    done.add(step);
    tell(progress(), `${names[step]}\u00a0: ${message}`);
  };
}
