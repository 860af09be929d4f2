import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@vigie/contracts/errors';
import { appErrorOfJob } from '@vigie/contracts/job-errors';
import { isFinal, type Job, type JobTicket, readJob } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyRequest } from 'fastify';
import type { Exchange } from './routes';

const maxWaitMs = 25_000;
const firstPauseMs = 100;
const maxPauseMs = 1_000;
/** Skips the log, since only the state of the job matters here. */
const afterLastLine = 2_147_483_647;
/** Calls that wait for their job: each holds a request and polls every second. Others get a 202 and poll themselves. */
const waitSlots = new FairSlots(128);

const setLocation = (id: string, { reply }: Exchange) => reply.header('location', `/api/jobs/${id}`);

/** Answers with the ticket of a job that the caller does not wait for. */
export async function answerTicket(created: Promise<JobTicket>, exchange: Exchange): Promise<JobTicket> {
  const ticket = await created;
  void setLocation(ticket.job_id, exchange);
  return ticket;
}

/** Waits for the result of a job. After a while, or with `Prefer: respond-async`, answers 202 with its location. */
export async function answerJob(
  bus: Bus,
  created: Promise<JobTicket>,
  exchange: Exchange,
  answer: (result: unknown) => unknown = (result) => result,
) {
  const ticket = await created;
  const mayWait = !/(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(String(exchange.request.headers['prefer'] ?? ''));
  const release = mayWait ? waitSlots.acquire(currentUser().sub) : undefined;
  const job = release && (await waitUntilFinal(bus, ticket.job_id, exchange.request).finally(release));
  if (job && isFinal(job.state)) return answer(resultOf(job));
  void setLocation(ticket.job_id, exchange).status(202);
  return { job_id: ticket.job_id, state: job?.state ?? ticket.state };
}

async function waitUntilFinal(bus: Bus, id: string, request: FastifyRequest): Promise<Job | undefined> {
  const deadline = performance.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const job = await bus.call(readJob, { id, after: afterLastLine }).catch(ignoreUnavailable);
    // The job was accepted, so the caller gets its location rather than an error.
    if (!job) return undefined;
    if (isFinal(job.state) || performance.now() + pauseMs > deadline || request.raw.socket.destroyed) return job;
    await wait(pauseMs);
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unavailable') return undefined;
  throw error;
}

/** The result or error of a job, as if the call had done the work. */
function resultOf({ state, result, error }: Job): unknown {
  if (state === 'succeeded') return result;
  if (state === 'cancelled') throw new AppError('conflict', 'La tâche a été annulée.');
  throw appErrorOfJob(error ?? { message: 'La tâche a échoué.' });
}
