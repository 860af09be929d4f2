import { Box, Button, Checkbox, Group } from '@mantine/core';
import { type Backup, createBackup } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import type { Site } from '@vigie/contracts/sites';
import { Archive, ArchiveRestore } from 'lucide-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { allows, isOwn } from '../../kit/fleet/roles';
import { ListCount, ListFrame } from '../../kit/list/ListScreen';
import { useListQuery } from '../../kit/list/useListQuery';
import facts from '../../ui/About.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Skeleton } from '../../ui/Skeleton';
import { type BackupJobs, BackupMessages, JobLines } from './BackupMessages';
import { BackupsCard } from './BackupsCard';
import { type BackupActions, BackupsTable } from './BackupsTable';
import { backupsApi } from './backups.api';
import styles from './backups.module.css';
import { DeleteBackup } from './DeleteBackup';
import { ImportLocal } from './ImportLocal';
import { RestoreDialog } from './RestoreDialog';
import { type RestoreRequest, restoreAll } from './restore-request';
import { type Backups, useBackups, useSave } from './useBackups';
import { listFailed, locationParams } from './words';

const maxTries = 10;
const everyMs = 2_000;

type ReadList = () => PromiseLike<{ data?: { length: number } | undefined }>;

/** Reads a list again, up to ten times, until it is longer than before or the component is unmounted. */
function useReadUntilLonger(read: ReadList): (length: number) => Promise<void> {
  const unmounted = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    unmounted.current = controller;
    return () => controller.abort();
  }, []);
  return async (length) => {
    const { signal } = unmounted.current;
    for (let attempt = 0; attempt < maxTries; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      if (signal.aborted) return;
      const { data } = await read();
      if (data && data.length > length) return;
    }
  };
}

const Head = ({ isRefreshing, onRefresh }: { isRefreshing: boolean; onRefresh: () => void }) => (
  <Group justify="space-between" gap="8px 16px">
    <h2 id="backups-title">Sauvegardes</h2>
    <RefreshButton isBusy={isRefreshing} run={onRefresh}>
      Relire la liste
    </RefreshButton>
  </Group>
);

function Folders({ siteId }: { siteId: string }) {
  const { currentData: info } = backupsApi.useBackupsInfoQuery({ id: siteId });
  const folderText = (folder: string | undefined) => (folder === undefined ? '—' : <code>{folder}</code>);
  return (
    <Box component="dl" className={`${facts['about']} ${styles['folders']}`} fz={13}>
      <dt>Dossier distant</dt>
      <dd>{folderText(info?.remoteBackupsDir)}</dd>
      <dt>Dossier temporaire distant</dt>
      <dd>{folderText(info?.remoteTmpDir)}</dd>
      <dt>Dossier local</dt>
      <dd>{folderText(info?.localBackupsDir)}</dd>
    </Box>
  );
}

const EmptyBackups = ({ canCreate }: { canCreate: boolean }) => (
  <EmptyState icon={Archive} title="Aucune sauvegarde pour l’instant.">
    {canCreate && <p>Créez-en une, ou importez plus bas une archive que vous avez déjà.</p>}
  </EmptyState>
);

function Items({
  items,
  ...rows
}: Omit<ComponentProps<typeof BackupsTable>, 'items'> & { items: readonly Backup[] | undefined }) {
  if (items === undefined) return <Skeleton rows={3} />;
  return items.length === 0 ? (
    <EmptyBackups canCreate={rows.actions !== undefined} />
  ) : (
    <BackupsTable items={items} {...rows} />
  );
}

function useBackupsList(siteId: string) {
  const query = backupsApi.useBackupsQuery({ id: siteId }, { refetchOnMountOrArgChange: true });
  return useListQuery({ ...query, data: query.currentData }, listFailed);
}

type ListProps = Omit<ComponentProps<typeof BackupsTable>, 'items'> & { answer: ReturnType<typeof useBackupsList> };

function BackupsList({ answer, ...rows }: ListProps) {
  const { data: items, fulfilledTimeStamp } = answer;
  return (
    <ListFrame
      answer={answer}
      tools={
        items && <ListCount at={fulfilledTimeStamp}>{plural(items.length, 'sauvegarde', 'sauvegardes')}</ListCount>
      }
    >
      <Items items={items} {...rows} />
    </ListFrame>
  );
}

type Handlers = {
  items: readonly Backup[] | undefined;
  onOpen: (filename: string) => void;
  onRestore: (request: RestoreRequest) => void;
  onDelete: (backup: Backup) => void;
};

const actionsOf = (
  backups: Backups,
  { save, pendingPath }: ReturnType<typeof useSave>,
  { items, onOpen, onRestore, onDelete }: Handlers,
): BackupActions => ({
  isBusy: (kind, filename) => backups.isBusy({ kind, filename }),
  pendingPath,
  download: ({ filename, size }) => {
    const isInVigie = items?.some(
      (other) => other.location === 'Local' && other.filename === filename && other.size === size,
    );
    if (isInVigie) void save(filename);
    else void backups.start({ kind: 'backups.download', filename });
  },
  verify: ({ filename, location }) =>
    void backups.start({ kind: 'backups.verify', filename, location: locationParams[location] }),
  open: ({ filename }) => onOpen(filename),
  isRestoring: backups.isRestoring,
  restore: (backup) => onRestore(restoreAll(backup)),
  remove: onDelete,
});

type Props = { site: Site; onOpen: (filename: string) => void };

/** Whether the job copies this archive of the host to Vigie: its row says how that goes. */
const isCopy = ({ kind, about }: JobItem, { filename, location }: Backup): boolean =>
  kind === 'backups.download' && location === 'Distant' && filename === about;

const jobsWhere = ({ open, failed }: BackupJobs, isShown: (job: JobItem) => boolean): BackupJobs => ({
  open: open.filter(isShown),
  failed: failed.filter(isShown),
});

function copyMessages(backups: Backups, backup: Backup, canCancel: boolean) {
  const jobs = jobsWhere(backups, (job) => isCopy(job, backup));
  if (jobs.open.length + jobs.failed.length === 0) return null;
  return (
    <Box px={12} pb={8}>
      <JobLines {...jobs} canCancel={canCancel} dismiss={backups.dismiss} />
    </Box>
  );
}

type DialogsProps = {
  site: Pick<Site, 'id' | 'name'>;
  restoring?: RestoreRequest;
  deleting?: Backup;
  onStarted: (jobId: string) => void;
  onClose: () => void;
};

const Dialogs = ({ site, restoring, deleting, onStarted, onClose }: DialogsProps) => (
  <>
    {restoring && <RestoreDialog siteId={site.id} request={restoring} onStarted={onStarted} onClose={onClose} />}
    {deleting && <DeleteBackup site={site} backup={deleting} onClose={onClose} />}
  </>
);

/** The backups of a site, on its host and in Vigie. */
export function BackupsSection({ site, onOpen }: Props) {
  const siteId = site.id;
  /** All that is done with backups takes the same role. */
  const isOperator = allows(site, createBackup);
  const backups = useBackups(siteId);
  const saving = useSave(siteId);
  const [dialog, setDialog] = useState<{ restoring?: RestoreRequest; deleting?: Backup }>({});
  const restore = (restoring: RestoreRequest) => setDialog({ restoring });
  const answer = useBackupsList(siteId);
  const handlers = {
    items: answer.data,
    onOpen,
    onRestore: restore,
    onDelete: (deleting: Backup) => setDialog({ deleting }),
  };
  return (
    <>
      <BackupsCard id="backups" tabIndex={-1} aria-labelledby="backups-title" style={{ outline: 'none' }}>
        <Head isRefreshing={answer.isRefreshing} onRefresh={answer.refresh} />
        {isOperator && <CreateBackup site={site} backups={backups} answer={answer} />}
        <BackupMessages
          backups={backups}
          jobs={jobsWhere(backups, (job) => answer.data?.some((backup) => isCopy(job, backup)) !== true)}
          items={answer.data}
          onRestore={isOperator ? restore : undefined}
        />
        {saving.failure !== undefined && <Failure sentence={saving.failure} />}
        <BackupsList
          answer={answer}
          actions={isOperator ? actionsOf(backups, saving, handlers) : undefined}
          renderDetails={(backup) => copyMessages(backups, backup, isOperator)}
        />
      </BackupsCard>
      {isOperator && <ImportLocal siteId={siteId} backups={backups} />}
      <Dialogs site={site} {...dialog} onStarted={backups.follow} onClose={() => setDialog({})} />
    </>
  );
}

type CreateBackupProps = { site: Site; backups: Backups; answer: ReturnType<typeof useBackupsList> };

/** Creates a backup, and says where it will be. */
function CreateBackup({ site, backups: { isCreating, start }, answer: { data: items, refetch } }: CreateBackupProps) {
  const [excludeCache, setExcludeCache] = useState(true);
  const readUntilLonger = useReadUntilLonger(refetch);
  const create = async () => {
    const before = items?.length ?? 0;
    if (await start({ kind: 'backups.create', excludeCache })) void readUntilLonger(before);
  };
  return (
    <>
      <Group gap="8px 16px" className={styles['buttons'] ?? ''}>
        <Button
          variant="default"
          disabled={isCreating}
          leftSection={<ArchiveRestore size={16} aria-hidden />}
          onClick={() => void create()}
        >
          Créer une sauvegarde
        </Button>
        <Checkbox
          label="Exclure le cache"
          checked={excludeCache}
          disabled={isCreating}
          onChange={(event) => setExcludeCache(event.currentTarget.checked)}
        />
      </Group>
      {isOwn(site) && <Folders siteId={site.id} />}
    </>
  );
}
