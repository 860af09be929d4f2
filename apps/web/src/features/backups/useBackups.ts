import { CreatedBackup, DownloadedBackup, VerifiedBackup } from '@vigie/contracts/backups';
import { type BackupKind, isFinal, type JobItem, type JobTicket } from '@vigie/contracts/jobs';
import { RestoreResult } from '@vigie/contracts/restores';
import { useEffect, useEffectEvent, useState } from 'react';
import { joinOutput } from '../../app/api-error';
import { toastFailure } from '../../app/tellFailure';
import { useStartedJobs, useLazyJob } from '../../app/useBegun';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { usePace, visibly } from '../../app/usePace';
import { plural } from '../../ui/plural';
import { createSignal, useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { useNow } from '../../ui/useNow';
import { backupsApi, backupCommandsApi } from './backups.api';
import { newsOf, restoredOf } from './news';
import { spellRestored } from './restore-words';
import { nameOf, outcomeOf, refusalOf, spellMo, verifiedHint } from './words';

const everyMs = 2_000;
const restMs = 30_000;
const minuteMs = 60_000;
const none: readonly JobItem[] = [];

/** Failures that the user has hidden, until the page is reloaded. */
const dismissed = createSignal<ReadonlySet<string>>(new Set());

function useJobsOf(site: string): readonly JobItem[] {
  const known = backupsApi.endpoints.backupJobs.useQueryState(site);
  const isBusy = known.currentData?.some(({ state }) => !isFinal(state));
  const pollingInterval = usePace(known, isBusy ? everyMs : restMs);
  const { currentData = none } = backupsApi.useBackupJobsQuery(site, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  return currentData;
}

/** A new archive that the screen shows beyond its toast. */
export type NewArchive = { is: 'made'; made: CreatedBackup } | { is: 'stored'; filename: string };

function archiveOf({ kind, result }: { kind: string; result: unknown }): NewArchive | undefined {
  if (kind === 'backups.create') {
    const made = CreatedBackup.safeParse(result).data;
    return made && { is: 'made', made };
  }
  const stored = kind === 'backups.download' ? DownloadedBackup.safeParse(result).data : undefined;
  return stored && { is: 'stored', filename: stored.local.split('/').at(-1) ?? stored.local };
}

function successOf({ kind, about }: JobItem, result: unknown): string {
  const fresh = archiveOf({ kind, result });
  if (fresh?.is === 'made') return `Sauvegarde créée\u00a0: ${fresh.made.filename}, ${spellMo(fresh.made.size)}.`;
  if (fresh?.is === 'stored') return `${fresh.filename} est dans Vigie.`;
  const restored = kind === 'backups.restore' ? RestoreResult.safeParse(result).data : undefined;
  if (restored) return spellRestored(restored);
  const verified = kind === 'backups.verify' ? VerifiedBackup.safeParse(result).data : undefined;
  if (!verified) return `Réussi\u00a0: ${nameOf({ kind, about })}`;
  if (verified.by === 'structure') return `${verified.filename}\u00a0: ${verifiedHint(verified)}`;
  return `${verified.filename} est intacte\u00a0: ${plural(verified.entries, 'entrée lue', 'entrées lues')}.`;
}

/** Shows a toast at the end of each job that this screen started, with the output of the host when it failed. */
function useOutcomes(jobs: readonly JobItem[]) {
  const { ids, track: begin, untrack: end } = useStartedJobs();
  const [read] = useLazyJob();
  const [fresh, setFresh] = useState<NewArchive>();
  const tell = async (job: JobItem): Promise<NewArchive | undefined> => {
    if (job.state === 'cancelled') {
      toast.info(`Annulé\u00a0: ${nameOf(job)}`);
      return undefined;
    }
    const { data } = await read(job.id);
    if (job.state === 'succeeded') {
      toast.success(successOf(job, data?.result));
      return archiveOf({ kind: job.kind, result: data?.result });
    }
    const error = (data ?? job).error;
    toast.error([outcomeOf(job).word, error && joinOutput(error)].filter(Boolean).join(' '), `Tâche ${job.id}`);
    return undefined;
  };
  const over = jobs.filter(({ id, state }) => ids.has(id) && isFinal(state));
  const settle = useEffectEvent(() => {
    end(new Set(over.map(({ id }) => id)));
    for (const job of over) void tell(job).then((brought) => brought && setFresh(brought));
  });
  useEffect(() => {
    if (over.length > 0) settle();
  }, [over.length]);
  return { begin, fresh, clear: () => setFresh(undefined) };
}

type Answer = { data?: JobTicket | undefined; error?: unknown };
type Order = { kind: BackupKind; filename?: string; location?: 'remote' | 'local'; excludeCache?: boolean };

function useOrders(site: string) {
  const [create] = backupCommandsApi.useCreateBackupMutation();
  const [download] = backupCommandsApi.useDownloadBackupMutation();
  const [bringBack] = backupCommandsApi.useImportBackupMutation();
  const [verify] = backupCommandsApi.useVerifyBackupMutation();
  return (
    { kind, filename = '', location = 'remote', excludeCache = true }: Order,
    key: string,
  ): PromiseLike<Answer> => {
    const named = { site, filename, idempotencyKey: key };
    if (kind === 'backups.create') return create({ site, excludeCache, idempotencyKey: key });
    if (kind === 'backups.download') return download(named);
    return kind === 'backups.import' ? bringBack(named) : verify({ ...named, location });
  };
}

const keyOf = ({ kind, filename }: Order) => [kind, filename].filter(Boolean).join(' ');

/** The backup jobs of a site, and how to start one. */
export function useBackups(site: string) {
  const jobs = useJobsOf(site);
  const { begin, fresh, clear } = useOutcomes(jobs);
  const now = useNow(minuteMs).getTime();
  const send = useOrders(site);
  const { keyFor, renewKey } = useIdempotencyKey();
  const [asked, setAsked] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const [refusal, setRefusal] = useState<string>();
  const forget = (key: string) => setAsked((known) => new Map([...known].filter(([other]) => other !== key)));
  const start = async (order: Order): Promise<boolean> => {
    const key = keyOf(order);
    setRefusal(undefined);
    clear();
    setAsked((known) => new Map(known).set(key, undefined));
    const { data, error } = await send(order, keyFor({ site, order }));
    if (data) {
      renewKey();
      setAsked((known) => new Map(known).set(key, data.job_id));
      begin(data.job_id);
      return true;
    }
    forget(key);
    const sentence = refusalOf(error, order.kind);
    toastFailure(sentence, error);
    setRefusal(sentence);
    return false;
  };
  const isAsked = (key: string) => {
    const id = asked.get(key);
    // Covers the time until the list of jobs holds the new job.
    return asked.has(key) && (id === undefined || jobs.every((job) => job.id !== id));
  };
  const open = jobs.filter(({ state }) => !isFinal(state));
  const known = { now, dismissed: useSignal(dismissed) };
  return {
    open,
    failed: newsOf(jobs, known),
    restored: restoredOf(jobs, known),
    fresh,
    refusal,
    start,
    /** Follows a job that another component of this screen started. */
    begin,
    isRestoring: open.some(({ kind }) => kind === 'backups.restore'),
    isCreating: isAsked('backups.create') || open.some(({ kind }) => kind === 'backups.create'),
    /** True from the click to the end of the job. */
    isBusy: (order: Order) =>
      isAsked(keyOf(order)) || open.some(({ kind, about }) => kind === order.kind && about === order.filename),
    dismiss: (job?: string) => {
      if (job === undefined) setRefusal(undefined);
      else dismissed.set(new Set(dismissed.get()).add(job));
    },
    clear,
  };
}

export type Backups = ReturnType<typeof useBackups>;
