import type { Answer, TestProduct } from './product';
import { until } from './until';

/** An answer, or what its job says in the end: on a busy machine work lasts longer than a gateway has patience. */
export async function settled(product: TestProduct, token: string, answer: Answer): Promise<Answer> {
  if (answer.status !== 202) return answer;
  let job = answer;
  await until(async () => {
    job = await product.request('GET', `/api/jobs/${String(answer.body['job_id'])}`, { token });
    // A gateway that cannot keep up says so, and nothing of the job.
    return job.status === 200 && job.body['finished_at'] !== null;
  });
  const { state, result, error } = job.body;
  return { ...job, ...(state === 'succeeded' ? { body: Object(result) } : { status: 202, body: { detail: error } }) };
}
