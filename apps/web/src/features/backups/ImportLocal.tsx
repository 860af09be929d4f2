import { Button } from '@mantine/core';
import { useState } from 'react';
import { UploadQueueList } from '../../kit/uploads/UploadQueueList';
import { useListQuery } from '../../kit/list/useListQuery';
import { DropZone } from '../../ui/DropZone';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import styles from './Backups.module.css';
import { LocalSearch, type LocalBackups, useLocalBackups } from './LocalSearch';
import { backupUploads } from './backup-uploads';
import type { Backups } from './useBackups';
import { listFailed, noneChosen, formatMegabytes } from './words';

const emptyLabel = ({ q }: LocalBackups) => (q === '' ? 'Aucun backup local' : 'Aucun backup ne correspond');

function ImportForm({ archives, backups }: { archives: LocalBackups; backups: Backups }) {
  const [chosen, setChosen] = useState('');
  const [isChoiceMissing, setChoiceMissing] = useState(false);
  const { items, nameOf } = archives;
  const filename = items.some((backup) => backup.filename === chosen) ? chosen : '';
  const importChosen = () => {
    setChoiceMissing(filename === '');
    if (filename === '') toast.error(noneChosen);
    else void backups.start({ kind: 'backups.import', filename });
  };
  return (
    <div className={styles['importForm']}>
      <SelectField
        label="Backup local"
        className={styles['field'] ?? ''}
        value={filename}
        error={isChoiceMissing && filename === '' ? noneChosen : undefined}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: '', label: items.length === 0 ? emptyLabel(archives) : 'Choisir un backup local' },
          ...items.map((backup) => ({ value: backup.filename, label: nameOf(backup) })),
        ]}
      />
      <Button
        variant="default"
        className={styles['send'] ?? ''}
        disabled={filename !== '' && backups.isBusy({ kind: 'backups.import', filename })}
        onClick={importChosen}
      >
        Importer sur le site
      </Button>
    </div>
  );
}

/** Uploads an archive to Vigie, and copies one from Vigie to the backup folder of a site. */
export function ImportLocal({ siteId, backups }: { siteId: string; backups: Backups }) {
  const archives = useLocalBackups(siteId);
  const { data, sentence, isFetching, refresh } = useListQuery(archives.answer, listFailed);
  const items = useSignal(backupUploads.list).filter((backup) => backup.siteId === siteId);
  return (
    <section aria-labelledby="import-title" className={styles['section']}>
      <div>
        <h2 id="import-title">Importer un backup local</h2>
        <p className={styles['about']}>
          Téléversez une archive dans Vigie, puis copiez-la dans le dossier de sauvegardes du site.
        </p>
      </div>
      <DropZone
        label="Déposez des sauvegardes ici"
        hint=".wpress uniquement, dans la limite de la place libre de Vigie"
        accept=".wpress"
        onFiles={(files) => backupUploads.add(files, { siteId })}
      />
      <UploadQueueList queue={backupUploads} items={items} describeItem={({ file }) => [formatMegabytes(file.size)]} />
      <Failure sentence={sentence}>
        <RetryButton isBusy={isFetching} onRetry={refresh} />
      </Failure>
      {data && <LocalSearch archives={archives} />}
      {data && <ImportForm archives={archives} backups={backups} />}
    </section>
  );
}
