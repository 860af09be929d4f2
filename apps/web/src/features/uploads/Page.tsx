import { Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Upload, createUpload, maxUploadBytes, type PackageKind } from '@vigie/contracts/uploads';
import { Palette, Puzzle } from 'lucide-react';
import { changeSearch } from '../../kit/list/search-params';
import { Choices } from '../../ui/Choices';
import { DropZone } from '../../ui/DropZone';
import { Page } from '../../ui/Page';
import { kindOf, type UploadsSearch } from './search';
import { UploadsList } from './UploadsList';
import { typeLabels, spellSize, versionNotDetected, uploadFailed } from './words';
import { UploadQueueList } from '../../kit/uploads/UploadQueueList';
import { useSignal } from '../../ui/signal';
import { UploadQueue } from '../../kit/uploads/upload-queue';
import { store } from '../../kit/store';
import { fileCallOf } from '../../kit/query/endpoints';
import { uploadsApi } from './uploads.api';

type Archive = {
  kind: PackageKind;
  /** Null: the archive has no version. Undefined: not read yet. */
  version: string | null | undefined;
  replaces: boolean;
};

const notZip = 'Seules les archives .zip sont acceptées\u00a0: choisissez un fichier .zip.';
const tooLarge = 'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.';

const queue = new UploadQueue<Archive>({
  validate: ({ name, size }) => (/.\.zip$/i.test(name) ? (size > maxUploadBytes ? tooLarge : undefined) : notZip),
  // Refuses an invalid archive before its bytes are sent: it may be half a gigabyte.
  prepare: async ({ file, kind }, learn) => {
    const { readPackageHeader } = await import('./readPackageHeader');
    const header = await readPackageHeader(file, kind);
    if (header) learn({ version: header.version });
  },
  buildCall: ({ key, kind, replaces }) =>
    fileCallOf(createUpload, { type: kind, ...(replaces && { replace: '1' }) }, replaces ? `${key}-r` : key),
  onSent: () => void store.dispatch(uploadsApi.util.invalidateTags([...createUpload.changes])),
  onDone: (answer, learn) => learn({ version: Upload.parse(answer).version }),
  existsCode: 'upload_exists',
  failureMessage: uploadFailed,
});

const QueueList = () => (
  <UploadQueueList
    queue={queue}
    items={useSignal(queue.list)}
    describeItem={({ kind, file, version }) => [
      typeLabels[kind],
      spellSize(file.size),
      ...(version ? [`version ${version}`] : []),
    ]}
    warningOf={({ version }) => (version === null ? versionNotDetected : undefined)}
    onReplace={({ key }) => queue.retry(key, { replaces: true })}
  />
);

const choices = [
  { value: 'plugin', label: typeLabels.plugin, icon: Puzzle },
  { value: 'theme', label: typeLabels.theme, icon: Palette },
] as const;

const labels = {
  plugin: 'Déposez des archives de plugins ici',
  theme: 'Déposez des archives de thèmes ici',
} as const;

type Props = {
  search: UploadsSearch;
  /** Opens the choice of the sites to install the archive on. */
  onInstall: (upload: Upload) => void;
};

export function UploadsPage({ search, onInstall }: Props) {
  const navigate = useNavigate();
  const show = (change: Partial<UploadsSearch>) => void navigate({ to: '/uploads', ...changeSearch(change) });
  const kind = kindOf(search);
  return (
    <Page title="Uploads" lead="Les archives de plugins et de thèmes que vous installez sur vos sites.">
      <Box maw={400}>
        <Choices
          legend="Type d’archive"
          choices={choices}
          value={kind}
          onChange={(chosen) => show({ type: chosen === 'theme' ? chosen : undefined })}
        />
      </Box>
      <DropZone
        label={labels[kind]}
        hint={'.zip uniquement, 512\u00a0Mo au plus par fichier'}
        accept=".zip,application/zip"
        onFiles={(files) => queue.add(files, { kind, version: undefined, replaces: false })}
      />
      <QueueList />
      <UploadsList search={search} onChange={show} onInstall={onInstall} />
    </Page>
  );
}
