import type { Answer, TestProduct } from './product';
import { until } from './until';

/** Returns an answer, or the outcome of its job when the gateway answered 202 because the machine is busy. */
export async function waitForOutcome(product: TestProduct, token: string, answer: Answer): Promise<Answer> {
  if (answer.status !== 202) return answer;
  let job = answer;
  await until(async () => {
    job = await product.request('GET', `/api/jobs/${String(answer.body['job_id'])}`, { token });
    // An overloaded gateway answers an error without the job.
    return job.status === 200 && job.body['finished_at'] !== null;
  });
  const { state, result, error } = job.body;
  return { ...job, ...(state === 'succeeded' ? { body: Object(result) } : { status: 202, body: { detail: error } }) };
}
