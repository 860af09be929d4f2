import { Box, Button, Checkbox, Group } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { Backup } from '@vigie/contracts/backups';
import type { Site } from '@vigie/contracts/sites';
import { Archive, ArchiveRestore } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ListCount, ListFrame } from '../../kit/list/ListScreen';
import { useListQuery } from '../../kit/list/useListQuery';
import facts from '../../ui/About.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Skeleton } from '../../ui/Skeleton';
import { BackupMessages } from './BackupMessages';
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

/** The browser looks for the hash before this section is rendered, so the scroll is done here. */
function useAnchor() {
  const section = useRef<HTMLElement>(null);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash !== 'backups') return;
    section.current?.scrollIntoView();
    section.current?.focus({ preventScroll: true });
  }, [hash]);
  return section;
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

const EmptyBackups = () => (
  <EmptyState icon={Archive} title="Aucune sauvegarde pour l’instant.">
    <p>Créez-en une, ou importez plus bas une archive que vous avez déjà.</p>
  </EmptyState>
);

function Items({ items, actions }: { items: readonly Backup[] | undefined; actions: BackupActions }) {
  if (items === undefined) return <Skeleton rows={3} />;
  return items.length === 0 ? <EmptyBackups /> : <BackupsTable items={items} actions={actions} />;
}

function useBackupsList(siteId: string) {
  const query = backupsApi.useBackupsQuery({ id: siteId }, { refetchOnMountOrArgChange: true });
  return useListQuery({ ...query, data: query.currentData }, listFailed);
}

type ListProps = { answer: ReturnType<typeof useBackupsList>; actions: BackupActions };

function BackupsList({ answer, actions }: ListProps) {
  const { data: items, fulfilledTimeStamp } = answer;
  return (
    <ListFrame
      answer={answer}
      tools={
        items && <ListCount at={fulfilledTimeStamp}>{plural(items.length, 'sauvegarde', 'sauvegardes')}</ListCount>
      }
    >
      <Items items={items} actions={actions} />
    </ListFrame>
  );
}

type Handlers = {
  onOpen: (filename: string) => void;
  onRestore: (request: RestoreRequest) => void;
  onDelete: (backup: Backup) => void;
};

const actionsOf = (
  backups: Backups,
  { save, pendingPath }: ReturnType<typeof useSave>,
  { onOpen, onRestore, onDelete }: Handlers,
): BackupActions => ({
  isBusy: (kind, filename) => backups.isBusy({ kind, filename }),
  pendingPath,
  download: ({ filename }) => void backups.start({ kind: 'backups.download', filename }),
  verify: ({ filename, location }) =>
    void backups.start({ kind: 'backups.verify', filename, location: locationParams[location] }),
  save: ({ filename }) => save(filename),
  open: ({ filename }) => onOpen(filename),
  isRestoring: backups.isRestoring,
  restore: (backup) => onRestore(restoreAll(backup)),
  remove: onDelete,
});

type Props = { site: Site; onOpen: (filename: string) => void };

/** The backups of a site, on its host and in Vigie. */
export function BackupsSection({ site: { id: siteId, name }, onOpen }: Props) {
  const section = useAnchor();
  const backups = useBackups(siteId);
  const saving = useSave(siteId);
  const { save, failure } = saving;
  const [deleting, setDeleting] = useState<Backup>();
  const [restoreRequest, setRestoreRequest] = useState<RestoreRequest>();
  const answer = useBackupsList(siteId);
  const { data: items, isRefreshing, refresh, refetch } = answer;
  const readUntilLonger = useReadUntilLonger(refetch);
  const create = async (excludeCache: boolean) => {
    const before = items?.length ?? 0;
    if (await backups.start({ kind: 'backups.create', excludeCache })) void readUntilLonger(before);
  };
  const actions = actionsOf(backups, saving, { onOpen, onRestore: setRestoreRequest, onDelete: setDeleting });
  return (
    <>
      <BackupsCard ref={section} id="backups" tabIndex={-1} aria-labelledby="backups-title" style={{ outline: 'none' }}>
        <Head isRefreshing={isRefreshing} onRefresh={refresh} />
        <CreateBackup isBusy={backups.isCreating} onCreate={(excludeCache) => void create(excludeCache)} />
        <Folders siteId={siteId} />
        <BackupMessages backups={backups} items={items} onSave={save} onOpen={onOpen} onRestore={setRestoreRequest} />
        {failure !== undefined && <Failure sentence={failure} />}
        <BackupsList answer={answer} actions={actions} />
      </BackupsCard>
      <ImportLocal siteId={siteId} backups={backups} />
      {restoreRequest && (
        <RestoreDialog
          siteId={siteId}
          request={restoreRequest}
          onStarted={backups.follow}
          onClose={() => setRestoreRequest(undefined)}
        />
      )}
      {deleting && (
        <DeleteBackup site={{ id: siteId, name }} backup={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

type CreateBackupProps = { isBusy: boolean; onCreate: (excludeCache: boolean) => void };

function CreateBackup({ isBusy, onCreate }: CreateBackupProps) {
  const [excludeCache, setExcludeCache] = useState(true);
  return (
    <Group gap="8px 16px" className={styles['buttons'] ?? ''}>
      <Button
        disabled={isBusy}
        leftSection={<ArchiveRestore size={16} aria-hidden />}
        onClick={() => onCreate(excludeCache)}
      >
        Créer une sauvegarde
      </Button>
      <Checkbox
        label="Exclure le cache"
        checked={excludeCache}
        disabled={isBusy}
        onChange={(event) => setExcludeCache(event.currentTarget.checked)}
      />
    </Group>
  );
}
