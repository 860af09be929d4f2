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

/** What is tested, and what a test of it tells. */
export type Trial<T> = {
  asking: readonly [ask: Ask, { error?: unknown; originalArgs?: Asked; isLoading: boolean; reset: () => void }];
  read: (result: unknown) => T | undefined;
  /** Whose job it is. */
  ownerOf: (job: Job) => string | null;
  /** As the toast says it. */
  spell: (test: T) => string;
  /** Whatever it found: what is shown of it is of before. */
  after?: (id: string) => void;
};

/** As of a job that somebody looks at: what it found, why it found nothing, or neither where it was cancelled. */
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

/** Told once, of each that was begun here or seen before its end. */
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

/** Asks for a test; what came of the asking alone is an error, or nothing. */
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
    // The panel was closed meanwhile: the test goes on, and the dock shows it.
    const isOnItsWay = current.current === undefined && closed.current !== id;
    if (isOnItsWay || current.current === id) begin(answer.data.job_id);
  };
  return { run: (id: string) => void run(id), error, isAsking: isLoading, asked: originalArgs?.id };
}

type Read = { job: Job | undefined; error: unknown; isShown: boolean };

/** How the test that the address names stands. */
function standingOf<T>({ job, error, isShown }: Read, trial: Trial<T>) {
  if (job && isFinal(job.state)) return { isRunning: false, end: endOf(job, trial) ?? ('cancelled' as const) };
  if (job || !isShown) return { isRunning: job !== undefined, end: undefined };
  return error ? { isRunning: false, end: { refusal: { error } } } : { isRunning: true, end: undefined };
}

/** The test of what is shown: a job, whose id is in the address. It goes on when the panel is closed. */
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
