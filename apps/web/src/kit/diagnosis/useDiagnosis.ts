import { useRouter } from '@tanstack/react-router';
import { isFinal, type Job, type JobTicket } from '@vigie/contracts/jobs';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toast } from '../../ui/toasts';
import { jobsApi } from '../job/jobs.api';
import { useJob } from '../job/useJobs';
import { describeFailure, type DiagnosisFailure } from './failure';

type PanelSearch = { open?: string | undefined; test?: string | undefined };
type TestRequest = { id: string };
type SendTest = (request: TestRequest) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** How to test a server or a site, and how to read the result. */
export type TestKind<T> = {
  mutation: readonly [
    send: SendTest,
    { error?: unknown; originalArgs?: TestRequest; isLoading: boolean; reset: () => void },
  ];
  read: (result: unknown) => T | undefined;
  /** The id of the server or site of a job. */
  ownerOf: (job: Job) => string | null;
  /** One line, for the toast. */
  spell: (test: T) => string;
  /** Called when a test ends, with any result: data that was read before may be stale. */
  onEnd?: (id: string) => void;
};

/** Undefined when the job was cancelled. */
function endOf<T>(job: Job, { read }: TestKind<T>): { test: T } | { failure: DiagnosisFailure } | undefined {
  if (job.state === 'cancelled') return undefined;
  const test = job.state === 'succeeded' ? read(job.result) : undefined;
  return test === undefined ? { failure: { job } } : { test };
}

function reportEnd<T>(job: Job, kind: TestKind<T>): void {
  const end = endOf(job, kind);
  if (!end) return toast.info('Test annulé.');
  if ('test' in end) return toast.success(kind.spell(end.test));
  const { sentence, details } = describeFailure(end.failure);
  return toast.error(sentence, details);
}

/** The tests whose end is still to be told: one may be started on a screen and followed on another. */
const awaited = new Set<string>();

/** The screen that follows the job tells its end. */
export const awaitEnd = (jobId: string): void => void awaited.add(jobId);

/** Shows one toast at the end of each job that was started here or seen while it ran. */
function useEndToast<T>(jobId: string | undefined, job: Job | undefined, kind: TestKind<T>): void {
  const end = useEffectEvent((ended: Job) => {
    reportEnd(ended, kind);
    const id = kind.ownerOf(ended);
    if (id !== null) kind.onEnd?.(id);
  });
  useEffect(() => {
    if (!job) return;
    if (!isFinal(job.state)) awaitEnd(job.id);
    else if (awaited.delete(job.id)) end(job);
  }, [job]);
  // Once the screen is left, the list of jobs tells the end.
  useEffect(() => () => void awaited.delete(jobId ?? ''), [jobId]);
}

/** Starts a test. The error is that of the request; the job has its own. */
function useTestRequest<T>({ mutation }: TestKind<T>, open: string | undefined, begin: (jobId: string) => void) {
  const [send, { error, originalArgs, isLoading, reset }] = mutation;
  const router = useRouter();
  const openId = useRef(open);
  const closedId = useRef<string>(undefined);
  useEffect(() => {
    openId.current = open;
    return () => {
      // A page that is left closes its test too.
      closedId.current = open;
      openId.current = undefined;
    };
  }, [open]);
  const run = async (id: string): Promise<void> => {
    closedId.current = undefined;
    const { pathname } = router.latestLocation;
    const answer = await send({ id });
    if (!answer.data) {
      const { sentence, details } = describeFailure({ error: answer.error });
      toast.error(sentence, details);
      return;
    }
    reset();
    // A page that is being left stays until the next one has been loaded.
    if (router.latestLocation.pathname !== pathname) return;
    // A test whose page or panel was closed meanwhile is left to the dock.
    const isPanelOpening = openId.current === undefined && closedId.current !== id;
    if (isPanelOpening || openId.current === id) begin(answer.data.job_id);
  };
  return { run: (id: string) => void run(id), error, isRequesting: isLoading, requestedId: originalArgs?.id };
}

type JobQuery = { job: Job | undefined; error: unknown; isShown: boolean };

function diagnosisState<T>({ job, error, isShown }: JobQuery, kind: TestKind<T>) {
  if (job && isFinal(job.state)) return { isRunning: false, end: endOf(job, kind) ?? ('cancelled' as const) };
  if (job || !isShown) return { isRunning: job !== undefined, end: undefined };
  return error ? { isRunning: false, end: { failure: { error } } } : { isRunning: true, end: undefined };
}

/** The test in an open page or panel is a job whose id is in the address. It goes on when that is closed. */
export function useDiagnosis<T>({ open, test: jobId }: PanelSearch, kind: TestKind<T>, follow: (test: string) => void) {
  const { currentData: job, error } = useJob(jobId);
  useEndToast(jobId, job, kind);
  const { run, ...request } = useTestRequest(kind, open, (id) => {
    awaitEnd(id);
    follow(id);
  });
  const [cancel, { isLoading }] = jobsApi.useCancelTestMutation();
  const actions = {
    run,
    cancel: () => void cancel({ id: jobId ?? '' }),
    isCancelling: isLoading || job?.is_cancelling === true,
  };
  if (request.isRequesting)
    return { ...actions, id: request.requestedId, job: undefined, isRunning: true, end: undefined };
  if (request.error) {
    return {
      ...actions,
      id: request.requestedId,
      job: undefined,
      isRunning: false,
      end: { failure: { error: request.error } },
    };
  }
  const id = (job && kind.ownerOf(job)) ?? (jobId === undefined ? undefined : open);
  return { ...actions, id, job, ...diagnosisState({ job, error, isShown: jobId !== undefined }, kind) };
}

export type Diagnosis<T> = ReturnType<typeof useDiagnosis<T>>;
