import { CreatedBackup, VerifiedBackup } from '@vigie/contracts/backups';
import { type BackupKind, isFinal, type JobError, type JobItem } from '@vigie/contracts/jobs';
import { RestoreResult } from '@vigie/contracts/restores';
import { useState } from 'react';
import { dismissJob, noJobs, useDismissedJobs, useJobListOptions, useWork } from '../../kit/job/useWork';
import { joinOutput } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';
import { plural } from '../../ui/plural';
import { useNow } from '../../ui/useNow';
import { archivesApi, backupCommandsApi, backupsApi } from './backups.api';
import { addDownload } from './pending-downloads';
import { recentFailures, recentRestore } from './recent-jobs';
import { describeRestore } from './restore-words';
import { formatMegabytes, jobName, outcomeLabel, verifiedHint } from './words';

const minuteMs = 60_000;

function successMessage({ kind, about }: JobItem, result: unknown): string {
  const made = kind === 'backups.create' ? CreatedBackup.safeParse(result).data : undefined;
  if (made) return `Sauvegarde créée\u00a0: ${made.filename}, ${formatMegabytes(made.size)}.`;
  if (kind === 'backups.download') return `Le téléchargement de ${about} commence.`;
  const restored = kind === 'backups.restore' ? RestoreResult.safeParse(result).data : undefined;
  if (restored) return describeRestore(restored);
  const verified = kind === 'backups.verify' ? VerifiedBackup.safeParse(result).data : undefined;
  if (!verified) return `Réussi\u00a0: ${jobName({ kind, about })}`;
  if (verified.by === 'structure') return `${verified.filename}\u00a0: ${verifiedHint(verified)}`;
  return `${verified.filename} est intacte\u00a0: ${plural(verified.entries, 'entrée lue', 'entrées lues')}.`;
}

const failureMessage = (job: JobItem, error: JobError | null) =>
  [outcomeLabel(job).word, error && joinOutput(error)].filter(Boolean).join(' ');

type BackupRequest = { kind: BackupKind; filename?: string; location?: 'remote' | 'local'; excludeCache?: boolean };

function useSendRequest(siteId: string) {
  const [create] = backupCommandsApi.useCreateBackupMutation();
  const [download] = backupCommandsApi.useDownloadBackupMutation();
  const [importBackup] = backupCommandsApi.useImportBackupMutation();
  const [verify] = backupCommandsApi.useVerifyBackupMutation();
  const copyThenDownload = async (target: { id: string; filename: string }) => {
    const answer = await download(target);
    if (answer.data) addDownload({ jobId: answer.data.job_id, siteId, filename: target.filename });
    return answer;
  };
  return ({ kind, filename = '', location = 'remote', excludeCache = true }: BackupRequest) => {
    const target = { id: siteId, filename };
    if (kind === 'backups.create') return create({ id: siteId, exclude_cache: excludeCache });
    if (kind === 'backups.download') return copyThenDownload(target);
    return kind === 'backups.import' ? importBackup(target) : verify({ ...target, location });
  };
}

const requestKey = ({ kind, filename }: BackupRequest) => [kind, filename].filter(Boolean).join(' ');

/** The backup jobs of a site, and how to start one. */
export function useBackups(siteId: string) {
  const options = useJobListOptions(backupsApi.endpoints.backupJobs.useQueryState(siteId));
  const { currentData: jobs = noJobs } = backupsApi.useBackupJobsQuery(siteId, options);
  const [made, setMade] = useState<CreatedBackup>();
  const send = useSendRequest(siteId);
  const work = useWork(jobs, {
    succeeded: successMessage,
    cancelled: (job) => `Annulé\u00a0: ${jobName(job)}`,
    failed: failureMessage,
    readsResult: true,
    onSuccess: ({ kind }, result) => {
      if (kind === 'backups.create') setMade(CreatedBackup.safeParse(result).data);
    },
  });
  const current = { now: useNow(minuteMs).getTime(), dismissed: useDismissedJobs() };
  const open = jobs.filter(({ state }) => !isFinal(state));
  return {
    open,
    failed: recentFailures(jobs, current),
    restored: recentRestore(jobs, current),
    /** The new backup. */
    made,
    refusal: [...work.refusals.values()].at(-1),
    start: async (request: BackupRequest): Promise<boolean> => {
      work.dismissRefusals();
      setMade(undefined);
      return (await work.ask(requestKey(request), () => send(request))) === undefined;
    },
    follow: work.follow,
    isRestoring: open.some(({ kind }) => kind === 'backups.restore'),
    isCreating: work.isPending('backups.create') || open.some(({ kind }) => kind === 'backups.create'),
    /** True from the click to the end of the job. */
    isBusy: (request: BackupRequest) =>
      work.isPending(requestKey(request)) ||
      open.some(({ kind, about }) => kind === request.kind && about === request.filename),
    dismiss: (jobId?: string) => (jobId === undefined ? work.dismissRefusals() : dismissJob(jobId)),
  };
}

export type Backups = ReturnType<typeof useBackups>;

type Part = { path: string; kind: 'file' | 'table' };

/** Lets the browser itself download from a link, so that it streams gigabytes to disk and can resume. */
export function useSave(siteId: string) {
  const [link, { isLoading, originalArgs, error }] = archivesApi.useLinkBackupMutation();
  /** Resolves to the sentence of a failure. */
  const save = async (filename: string, part?: Part): Promise<string | undefined> => {
    const { data, error: refusal } = await link({ id: siteId, filename, ...part });
    if (!data) return sentenceOf(refusal);
    const anchor = document.createElement('a');
    anchor.href = data.url;
    anchor.download = '';
    anchor.click();
    return undefined;
  };
  return {
    save,
    pendingPath: isLoading ? (originalArgs?.path ?? originalArgs?.filename) : undefined,
    failure: sentenceOf(error),
  };
}
