import { useLocation } from '@tanstack/react-router';
import type { Backup } from '@vigie/contracts/backups';
import type { Site } from '@vigie/contracts/sites';
import { Archive } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { Skeleton } from '../../ui/Skeleton';
import { BackupNews } from './BackupNews';
import styles from './Backups.module.css';
import { BackupsList, type Deeds } from './BackupsTable';
import { backupsApi } from './backups.api';
import { CreateBackup } from './CreateBackup';
import { DeleteBackup } from './DeleteBackup';
import { ImportLocal } from './ImportLocal';
import { RestoreDialog } from './RestoreDialog';
import { type Restoring, wholeOf } from './restoring';
import { useBackups } from './useBackups';
import { useLonger } from './useLonger';
import { useSave } from './useSave';
import { listFailed, places } from './words';

/** The browser looks for the hash before this section is rendered, so the scroll is done here. */
function useAnchor() {
  const place = useRef<HTMLElement>(null);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash !== 'backups') return;
    place.current?.scrollIntoView();
    place.current?.focus({ preventScroll: true });
  }, [hash]);
  return place;
}

const Head = ({ isAsking, onRefresh }: { isAsking: boolean; onRefresh: () => void }) => (
  <div className={styles['head']}>
    <h2 id="backups-title">Sauvegardes</h2>
    <RefreshButton isBusy={isAsking} run={onRefresh}>
      Relire la liste
    </RefreshButton>
  </div>
);

function Folders({ site }: { site: string }) {
  const { currentData: info } = backupsApi.useBackupsInfoQuery(site);
  const shown = (folder: string | undefined) => (folder === undefined ? '—' : <code>{folder}</code>);
  return (
    <dl className={styles['folders']}>
      <dt>Dossier distant</dt>
      <dd>{shown(info?.remoteBackupsDir)}</dd>
      <dt>Dossier temporaire distant</dt>
      <dd>{shown(info?.remoteTmpDir)}</dd>
      <dt>Dossier local</dt>
      <dd>{shown(info?.localBackupsDir)}</dd>
    </dl>
  );
}

const Nothing = () => (
  <EmptyState icon={Archive} title="Aucune sauvegarde pour l’instant.">
    <p>Créez-en une, ou importez plus bas une archive que vous avez déjà.</p>
  </EmptyState>
);

function Items({ items, deeds }: { items: readonly Backup[] | undefined; deeds: Deeds }) {
  if (items === undefined) return <Skeleton rows={3} />;
  return items.length === 0 ? <Nothing /> : <BackupsList items={items} deeds={deeds} />;
}

type Props = { site: Site; onOpen: (filename: string) => void };

/** The backups of a site, on its host and in Vigie. */
export function BackupsSection({ site: { id, name }, onOpen }: Props) {
  const place = useAnchor();
  const backups = useBackups(id);
  const { save, asking, failure } = useSave(id);
  const [deleting, setDeleting] = useState<Backup>();
  const [restoring, setRestoring] = useState<Restoring>();
  const query = backupsApi.useBackupsQuery(id, { refetchOnMountOrArgChange: true });
  const answer = useListed({ ...query, data: query.currentData }, listFailed);
  const { data: items, fulfilledTimeStamp, isAsking, refresh, refetch } = answer;
  const awaitLonger = useLonger(refetch);
  const create = async (excludeCache: boolean) => {
    const before = items?.length ?? 0;
    if (await backups.start({ kind: 'backups.create', excludeCache })) void awaitLonger(before);
  };
  const deeds: Deeds = {
    isBusy: (kind, filename) => backups.isBusy({ kind, filename }),
    savingNow: asking,
    download: ({ filename }) => void backups.start({ kind: 'backups.download', filename }),
    verify: ({ filename, location }) =>
      void backups.start({ kind: 'backups.verify', filename, location: places[location] }),
    save: ({ filename }) => save(filename),
    open: ({ filename }) => onOpen(filename),
    isRestoring: backups.isRestoring,
    restore: (backup) => setRestoring(wholeOf(backup)),
    remove: setDeleting,
  };
  return (
    <>
      <section ref={place} id="backups" tabIndex={-1} aria-labelledby="backups-title" className={styles['section']}>
        <Head isAsking={isAsking} onRefresh={refresh} />
        <CreateBackup isBusy={backups.isCreating} onCreate={(excludeCache) => void create(excludeCache)} />
        <Folders site={id} />
        <BackupNews backups={backups} items={items} onSave={save} onOpen={onOpen} onRestore={setRestoring} />
        {failure !== undefined && <Failure sentence={failure} />}
        <ListFrame
          answer={answer}
          tools={
            items && <ListCount at={fulfilledTimeStamp}>{plural(items.length, 'sauvegarde', 'sauvegardes')}</ListCount>
          }
        >
          <Items items={items} deeds={deeds} />
        </ListFrame>
      </section>
      <ImportLocal site={id} backups={backups} />
      {restoring && (
        <RestoreDialog
          site={id}
          restoring={restoring}
          onBegun={backups.begin}
          onClose={() => setRestoring(undefined)}
        />
      )}
      {deleting && <DeleteBackup site={{ id, name }} backup={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
