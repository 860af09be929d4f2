import { isFinal, type Job, type JobTicket } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toast } from '../../ui/toasts';
import { tellFailure } from '../tellFailure';
import { useIdempotencyKey } from '../useIdempotencyKey';
import { useCancelJob, useJob } from '../useJob';
import { failureOf, type Refusal } from './refusal';

type Shown = { open?: string | undefined; test?: string | undefined };
type Asked = { id: string; idempotencyKey: string };
type Ask = (asked: Asked) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** How to test a server or a site, and how to read the result. */
export type Trial<T> = {
  asking: readonly [ask: Ask, { error?: unknown; originalArgs?: Asked; isLoading: boolean; reset: () => void }];
  read: (result: unknown) => T | undefined;
  /** The id of the server or site of a job. */
  ownerOf: (job: Job) => string | null;
  /** One line, for the toast. */
  spell: (test: T) => string;
  /** Called when a test ends, with any result: data that was read before may be stale. */
  after?: (id: string) => void;
};

/** Undefined when the job was cancelled. */
function endOf<T>(job: Job, { read }: Trial<T>): { test: T } | { refusal: Refusal } | undefined {
  if (job.state === 'cancelled') return undefined;
  const test = job.state === 'succeeded' ? read(job.result) : undefined;
  return test === undefined ? { refusal: { job } } : { test };
}

function tell<T>(job: Job, trial: Trial<T>): void {
  const end = endOf(job, trial);
  if (!end) return toast.info('Test annulé.');
  if ('test' in end) return toast.success(trial.spell(end.test));
  const { sentence, details } = failureOf(end.refusal);
  return toast.error(sentence, details);
}

/** Shows one toast at the end of each job that was started here or seen while it ran. */
function useOutcome<T>(job: Job | undefined, trial: Trial<T>) {
  const followed = useRef<string>(undefined);
  const end = useEffectEvent((ended: Job) => {
    tell(ended, trial);
    const id = trial.ownerOf(ended);
    if (id !== null) trial.after?.(id);
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

/** Starts a test. The error is that of the request; the job has its own. */
function useAsk<T>({ asking }: Trial<T>, open: string | undefined, begin: (job: string) => void) {
  const [ask, { error, originalArgs, isLoading, reset }] = asking;
  const { keyFor, renewKey } = useIdempotencyKey();
  const current = useRef(open);
  const closed = useRef<string>(undefined);
  useEffect(() => {
    if (open === undefined) closed.current = current.current;
    current.current = open;
  }, [open]);
  const run = async (id: string): Promise<void> => {
    closed.current = undefined;
    const answer = await ask({ id, idempotencyKey: keyFor({ id }) });
    if (!answer.data) {
      const { sentence, details } = failureOf({ error: answer.error });
      toast.error(sentence, details);
      return;
    }
    renewKey();
    reset();
    // When the panel was closed meanwhile, the test goes on in the dock.
    const isOnItsWay = current.current === undefined && closed.current !== id;
    if (isOnItsWay || current.current === id) begin(answer.data.job_id);
  };
  return { run: (id: string) => void run(id), error, isAsking: isLoading, asked: originalArgs?.id };
}

type Read = { job: Job | undefined; error: unknown; isShown: boolean };

function standingOf<T>({ job, error, isShown }: Read, trial: Trial<T>) {
  if (job && isFinal(job.state)) return { isRunning: false, end: endOf(job, trial) ?? ('cancelled' as const) };
  if (job || !isShown) return { isRunning: job !== undefined, end: undefined };
  return error ? { isRunning: false, end: { refusal: { error } } } : { isRunning: true, end: undefined };
}

/** The test in an open panel is a job whose id is in the address. It goes on when the panel is closed. */
export function useDiagnosis<T>({ open, test: shown }: Shown, trial: Trial<T>, follow: (test: string) => void) {
  const { currentData: job, error } = useJob(shown);
  const begin = useOutcome(job, trial);
  const { run, ...ask } = useAsk(trial, open, (id) => {
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
  const id = (job && trial.ownerOf(job)) ?? (shown === undefined ? undefined : open);
  return { ...actions, id, job, ...standingOf({ job, error, isShown: shown !== undefined }, trial) };
}

export type Diagnosis<T> = ReturnType<typeof useDiagnosis<T>>;
