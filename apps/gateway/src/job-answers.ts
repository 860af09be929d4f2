import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@vigie/contracts/errors';
import { answerOf } from '@vigie/contracts/job-errors';
import { isFinal, type Job, type JobTicket, readJob } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyRequest } from 'fastify';
import type { Exchange } from './routes';

const patienceMs = 25_000;
const firstPauseMs = 100;
const longestPauseMs = 1_000;
/** Only the end of it is of interest here. */
const behindTheLog = 2_147_483_647;
/** Whoever has no place to wait in asks again by itself: each holds a request and a look a second. */
const patient = new FairSlots(128);

const leadTo = (id: string, { reply }: Exchange) => reply.header('location', `/api/jobs/${id}`);

/** Many jobs, or one that nobody waits for: where to ask for them. */
export async function answerTicket(asked: Promise<JobTicket>, exchange: Exchange): Promise<JobTicket> {
  const ticket = await asked;
  void leadTo(ticket.job_id, exchange);
  return ticket;
}

/** Whoever asks for work on a host gets its result, or after a while, or at once where they prefer, where to ask for it. */
export async function answerJob(
  bus: Bus,
  asked: Promise<JobTicket>,
  exchange: Exchange,
  answer: (result: unknown) => unknown = (result) => result,
) {
  const ticket = await asked;
  const isPatient = !/(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(String(exchange.request.headers['prefer'] ?? ''));
  const leave = isPatient ? patient.take(currentUser().sub) : undefined;
  const job = leave && (await untilFinal(bus, ticket.job_id, exchange.request).finally(leave));
  if (job && isFinal(job.state)) return answer(resultOf(job));
  void leadTo(ticket.job_id, exchange).status(202);
  return { job_id: ticket.job_id, state: job?.state ?? ticket.state };
}

async function untilFinal(bus: Bus, id: string, request: FastifyRequest): Promise<Job | undefined> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const job = await bus.call(readJob, { id, after: behindTheLog }).catch(ignoreAway);
    // It was accepted: whoever asked is told where it is, not that it failed.
    if (!job) return undefined;
    if (isFinal(job.state) || performance.now() + pauseMs > until || request.raw.socket.destroyed) return job;
    await wait(pauseMs);
  }
}

function ignoreAway(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unavailable') return undefined;
  throw error;
}

/** As if the work had been done in the call. */
function resultOf({ state, result, error }: Job): unknown {
  if (state === 'succeeded') return result;
  if (state === 'cancelled') throw new AppError('conflict', 'La tâche a été annulée.');
  throw answerOf(error ?? { message: 'La tâche a échoué.' });
}
