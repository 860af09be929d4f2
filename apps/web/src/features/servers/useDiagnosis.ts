import { isFinal, type Job } from '@vigie/contracts/jobs';
import { ServerTest } from '@vigie/contracts/servers';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useDispatch } from 'react-redux';
import type { store } from '../../app/store';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { useCancelJob, useJob } from '../../app/useJob';
import { toast } from '../../ui/toasts';
import { failureOf, type Refusal } from './failure';
import { statusApi } from './servers.api';

type Shown = { open?: string | undefined; test?: string | undefined };

/** As of a job that somebody looks at: what it found, why it found nothing, or neither where it was cancelled. */
function endOf(job: Job): { test: ServerTest } | { refusal: Refusal } | undefined {
  if (job.state === 'cancelled') return undefined;
  const test = job.state === 'succeeded' ? ServerTest.safeParse(job.result).data : undefined;
  return test ? { test } : { refusal: { job } };
}

function tell(job: Job): void {
  const end = endOf(job);
  if (!end) return toast.info('Test annulé.');
  if ('refusal' in end) {
    const { sentence, details } = failureOf(end.refusal);
    return toast.error(sentence, details);
  }
  const [first = ''] = end.test.stdout.trim().split('\n');
  return toast.success(first === '' ? 'Connexion OK' : `Connexion OK • ${first}`);
}

/** Told once, of each that was begun here or seen before its end. */
function useOutcome(job: Job | undefined) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const followed = useRef<string>(undefined);
  const end = useEffectEvent((ended: Job) => {
    tell(ended);
    const { server_id: id } = ended;
    if (id === null) return;
    const look = { subscribe: false, forceRefetch: true };
    // Whatever it found, the status that is shown is of before.
    void dispatch(statusApi.endpoints.serverStatus.initiate({ id, isFresh: true }, look));
  });
  useEffect(() => {
    if (!job) return;
    if (!isFinal(job.state)) followed.current = job.id;
    else if (followed.current === job.id) {
      followed.current = undefined;
      end(job);
    }
  }, [job]);
  return (id: string) => {
    followed.current = id;
  };
}

const { testServer } = statusApi.endpoints;

/** Asks for a test; what came of the asking alone is an error, or nothing. */
function useAsk(open: string | undefined, begin: (job: string) => void) {
  const [ask, { error, originalArgs, isLoading, reset }] = testServer.useMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  }, [open]);
  const run = async (id: string): Promise<void> => {
    const answer = await ask({ id, idempotencyKey: keyFor({ id }) });
    if (answer.error) {
      const { sentence, details } = failureOf({ error: answer.error });
      toast.error(sentence, details);
      return;
    }
    renewKey();
    reset();
    // The panel was closed meanwhile: the test goes on, and the dock shows it.
    if (current.current === undefined || current.current === id) begin(answer.data.job_id);
  };
  return { run: (id: string) => void run(id), error, isAsking: isLoading, asked: originalArgs?.id };
}

type Read = { job: Job | undefined; error: unknown; isShown: boolean };

/** How the test that the address names stands. */
function standingOf({ job, error, isShown }: Read) {
  if (job && isFinal(job.state)) return { isRunning: false, end: endOf(job) ?? ('cancelled' as const) };
  if (job || !isShown) return { isRunning: job !== undefined, end: undefined };
  return error ? { isRunning: false, end: { refusal: { error } } } : { isRunning: true, end: undefined };
}

/** The test of the server that is shown: a job, whose id is in the address. It goes on when the panel is closed. */
export function useDiagnosis({ open, test: shown }: Shown, follow: (test: string) => void) {
  const { currentData: job, error } = useJob(shown);
  const begin = useOutcome(job);
  const { run, ...ask } = useAsk(open, (id) => {
    begin(id);
    follow(id);
  });
  const [askToCancel, { isLoading }] = useCancelJob();
  const cancel = async (): Promise<void> => {
    const answer = await askToCancel(shown ?? '');
    if (answer.error) tellFailure(answer.error, 'Le test n’a pas pu être annulé.');
  };
  const actions = { run, cancel: () => void cancel(), isCancelling: isLoading || job?.is_cancelling === true };
  if (ask.isAsking) return { ...actions, id: ask.asked, job: undefined, isRunning: true, end: undefined };
  if (ask.error) {
    return { ...actions, id: ask.asked, job: undefined, isRunning: false, end: { refusal: { error: ask.error } } };
  }
  const id = job?.server_id ?? (shown === undefined ? undefined : open);
  return { ...actions, id, job, ...standingOf({ job, error, isShown: shown !== undefined }) };
}

export type Diagnosis = ReturnType<typeof useDiagnosis>;
