import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { UploadQueueList } from '../../kit/uploads/UploadQueueList';
import { useListQuery } from '../../kit/list/useListQuery';
import { BackupsCard } from './BackupsCard';
import { DropZone } from '../../ui/DropZone';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { SelectField } from '../../ui/SelectField';
import { useSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import styles from './backups.module.css';
import { LocalSearch, type LocalBackups, useLocalBackups } from './LocalSearch';
import type { Backups } from './useBackups';
import { listFailed, noneChosen, formatMegabytes, notWpress, uploadFailed } from './words';
import { backupCodes, beginBackupUpload, createBackupUpload } from '@vigie/contracts/backups';
import { UploadQueue } from '../../kit/uploads/upload-queue';
import { store } from '../../kit/store';
import { fileCallOf } from '../../kit/query/endpoints';
import { backupsApi } from './backups.api';
import { labelRoom } from '../../ui/mantine';

const { filename: archiveName } = beginBackupUpload.input.shape;

type ForSite = { siteId: string };

const backupUploads = new UploadQueue<ForSite>({
  validate: ({ name }) =>
    /.\.wpress$/i.test(name) ? archiveName.safeParse(name).error?.issues[0]?.message : notWpress,
  buildCall: ({ key, siteId }) => fileCallOf(createBackupUpload, { id: siteId }, key),
  onSent: () => void store.dispatch(backupsApi.util.invalidateTags([...createBackupUpload.changes])),
  existsCode: backupCodes.exists,
  failureMessage: uploadFailed,
});

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
    <Group align="flex-start" gap="8px 16px" className={styles['buttons'] ?? ''}>
      <SelectField
        label="Backup local"
        flex="1 1 280px"
        maw={640}
        miw={0}
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
        mt={labelRoom}
        disabled={filename !== '' && backups.isBusy({ kind: 'backups.import', filename })}
        onClick={importChosen}
      >
        Importer sur le site
      </Button>
    </Group>
  );
}

/** Uploads an archive to Vigie, and copies one from Vigie to the backup folder of a site. */
export function ImportLocal({ siteId, backups }: { siteId: string; backups: Backups }) {
  const archives = useLocalBackups(siteId);
  const { data, sentence, isFetching, refresh } = useListQuery(archives.answer, listFailed);
  const items = useSignal(backupUploads.list).filter((backup) => backup.siteId === siteId);
  return (
    <BackupsCard aria-labelledby="import-title">
      <div>
        <h2 id="import-title">Importer un backup local</h2>
        <Text c="muted">Téléversez une archive dans Vigie, puis copiez-la dans le dossier de sauvegardes du site.</Text>
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
    </BackupsCard>
  );
}
