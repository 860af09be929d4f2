import { SshFailure } from '@vigie/ssh/failure';
import type { SiteSteps } from '@vigie/wordpress/steps';
import type { Outcome, JobContext } from '../jobs/job-handler';
import { failureOf, type CommandOutput } from './site-host';

/** Runs a job that changes nothing, and so can simply fail at any point. */
export async function runReadOnly(
  { signal }: JobContext,
  test: { steps: SiteSteps; output: CommandOutput } | undefined,
  work: () => Promise<Record<string, unknown>>,
): Promise<Outcome> {
  try {
    return { state: 'succeeded', result: await work() };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failureOf(error);
    if (!failure) throw error;
    if (!test) return { state: 'failed', error: failure };
    const { steps, output } = test;
    if (error instanceof SshFailure) steps.fail(error);
    else steps.fail({ message: failure.message, remedy: failure.remedy ?? '' }, failedStepOf(failure.code, steps));
    return { state: 'failed', error: { ...failure, ...output, steps: steps.all } };
  }
}

/** PHP is looked for before the folder of the site, which needs it. */
const failedStepOf = (code: string | undefined, steps: SiteSteps) => (code === 'no_php' ? 'php' : steps.next);
