import { CreatedBackup, DownloadedBackup, VerifiedBackup } from '@vigie/contracts/backups';
import { type BackupKind, isFinal, type JobItem, type JobTicket } from '@vigie/contracts/jobs';
import { RestoreResult } from '@vigie/contracts/restores';
import { useEffect, useEffectEvent, useState } from 'react';
import { joinOutput } from '../../kit/query/api-error';
import { toastFailure } from '../../kit/query/failures';
import { useStartedJobs, useLazyJob } from '../../kit/job/useStartedJobs';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { plural } from '../../ui/plural';
import { createSignal, useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { useNow } from '../../ui/useNow';
import { backupsApi, backupCommandsApi } from './backups.api';
import { recentFailures, recentRestore } from './recent-jobs';
import { describeRestore } from './restore-words';
import { jobName, outcomeLabel, refusalMessage, formatMegabytes, verifiedHint } from './words';

const busyPollMs = 2_000;
const idlePollMs = 30_000;
const minuteMs = 60_000;
const noJobs: readonly JobItem[] = [];

/** Failures that the user has hidden, until the page is reloaded. */
const dismissed = createSignal<ReadonlySet<string>>(new Set());

function useBackupJobs(siteId: string): readonly JobItem[] {
  const current = backupsApi.endpoints.backupJobs.useQueryState(siteId);
  const isBusy = current.currentData?.some(({ state }) => !isFinal(state));
  const pollingInterval = usePollInterval(current, isBusy ? busyPollMs : idlePollMs);
  const { currentData = noJobs } = backupsApi.useBackupJobsQuery(siteId, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return currentData;
}

/** A new archive that the screen shows beyond its toast. */
export type NewArchive = { kind: 'made'; made: CreatedBackup } | { kind: 'stored'; filename: string };

function parseNewArchive({ kind, result }: { kind: string; result: unknown }): NewArchive | undefined {
  if (kind === 'backups.create') {
    const made = CreatedBackup.safeParse(result).data;
    return made && { kind: 'made', made };
  }
  const stored = kind === 'backups.download' ? DownloadedBackup.safeParse(result).data : undefined;
  return stored && { kind: 'stored', filename: stored.local.split('/').at(-1) ?? stored.local };
}

function successMessage({ kind, about }: JobItem, result: unknown): string {
  const newArchive = parseNewArchive({ kind, result });
  if (newArchive?.kind === 'made')
    return `Sauvegarde créée\u00a0: ${newArchive.made.filename}, ${formatMegabytes(newArchive.made.size)}.`;
  if (newArchive?.kind === 'stored') return `${newArchive.filename} est dans Vigie.`;
  const restored = kind === 'backups.restore' ? RestoreResult.safeParse(result).data : undefined;
  if (restored) return describeRestore(restored);
  const verified = kind === 'backups.verify' ? VerifiedBackup.safeParse(result).data : undefined;
  if (!verified) return `Réussi\u00a0: ${jobName({ kind, about })}`;
  if (verified.by === 'structure') return `${verified.filename}\u00a0: ${verifiedHint(verified)}`;
  return `${verified.filename} est intacte\u00a0: ${plural(verified.entries, 'entrée lue', 'entrées lues')}.`;
}

/** Shows a toast at the end of each job that this screen started, with the output of the host when it failed. */
function useEndToasts(jobs: readonly JobItem[]) {
  const { ids, track, untrack } = useStartedJobs();
  const [loadJob] = useLazyJob();
  const [newArchive, setNewArchive] = useState<NewArchive>();
  const reportEnd = async (job: JobItem): Promise<NewArchive | undefined> => {
    if (job.state === 'cancelled') {
      toast.info(`Annulé\u00a0: ${jobName(job)}`);
      return undefined;
    }
    const { data } = await loadJob(job.id);
    if (job.state === 'succeeded') {
      toast.success(successMessage(job, data?.result));
      return parseNewArchive({ kind: job.kind, result: data?.result });
    }
    const error = (data ?? job).error;
    toast.error([outcomeLabel(job).word, error && joinOutput(error)].filter(Boolean).join(' '), `Tâche ${job.id}`);
    return undefined;
  };
  const ended = jobs.filter(({ id, state }) => ids.has(id) && isFinal(state));
  const reportAll = useEffectEvent(() => {
    untrack(new Set(ended.map(({ id }) => id)));
    for (const job of ended) void reportEnd(job).then((archive) => archive && setNewArchive(archive));
  });
  useEffect(() => {
    if (ended.length > 0) reportAll();
  }, [ended.length]);
  return { track, newArchive, clear: () => setNewArchive(undefined) };
}

type Answer = { data?: JobTicket | undefined; error?: unknown };
type BackupRequest = { kind: BackupKind; filename?: string; location?: 'remote' | 'local'; excludeCache?: boolean };

function useSendRequest(siteId: string) {
  const [create] = backupCommandsApi.useCreateBackupMutation();
  const [download] = backupCommandsApi.useDownloadBackupMutation();
  const [importBackup] = backupCommandsApi.useImportBackupMutation();
  const [verify] = backupCommandsApi.useVerifyBackupMutation();
  return ({ kind, filename = '', location = 'remote', excludeCache = true }: BackupRequest): PromiseLike<Answer> => {
    const target = { id: siteId, filename };
    if (kind === 'backups.create') return create({ id: siteId, exclude_cache: excludeCache });
    if (kind === 'backups.download') return download(target);
    return kind === 'backups.import' ? importBackup(target) : verify({ ...target, location });
  };
}

const requestKey = ({ kind, filename }: BackupRequest) => [kind, filename].filter(Boolean).join(' ');

/** The backup jobs of a site, and how to start one. */
export function useBackups(siteId: string) {
  const jobs = useBackupJobs(siteId);
  const { track, newArchive, clear } = useEndToasts(jobs);
  const now = useNow(minuteMs).getTime();
  const send = useSendRequest(siteId);
  const [pending, setPending] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const [refusal, setRefusal] = useState<string>();
  const clearPending = (key: string) =>
    setPending((current) => new Map([...current].filter(([other]) => other !== key)));
  const start = async (request: BackupRequest): Promise<boolean> => {
    const key = requestKey(request);
    setRefusal(undefined);
    clear();
    setPending((current) => new Map(current).set(key, undefined));
    const { data, error } = await send(request);
    if (data) {
      setPending((current) => new Map(current).set(key, data.job_id));
      track(data.job_id);
      return true;
    }
    clearPending(key);
    const sentence = refusalMessage(error, request.kind);
    toastFailure(sentence, error);
    setRefusal(sentence);
    return false;
  };
  const isPending = (key: string) => {
    const id = pending.get(key);
    // Covers the time until the list of jobs holds the new job.
    return pending.has(key) && (id === undefined || jobs.every((job) => job.id !== id));
  };
  const open = jobs.filter(({ state }) => !isFinal(state));
  const current = { now, dismissed: useSignal(dismissed) };
  return {
    open,
    failed: recentFailures(jobs, current),
    restored: recentRestore(jobs, current),
    newArchive,
    refusal,
    start,
    /** Follows a job that another component of this screen started. */
    track,
    isRestoring: open.some(({ kind }) => kind === 'backups.restore'),
    isCreating: isPending('backups.create') || open.some(({ kind }) => kind === 'backups.create'),
    /** True from the click to the end of the job. */
    isBusy: (request: BackupRequest) =>
      isPending(requestKey(request)) ||
      open.some(({ kind, about }) => kind === request.kind && about === request.filename),
    dismiss: (jobId?: string) => {
      if (jobId === undefined) setRefusal(undefined);
      else dismissed.set(new Set(dismissed.get()).add(jobId));
    },
    clear,
  };
}

export type Backups = ReturnType<typeof useBackups>;
