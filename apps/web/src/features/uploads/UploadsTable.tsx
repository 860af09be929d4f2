import { Box, Group } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { PackagePlus, Trash2 } from 'lucide-react';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import table from '../../kit/list/list.module.css';
import facts from '../../ui/About.module.css';
import { IconButton } from '../../ui/IconButton';
import { TimeAgo } from '../../ui/TimeAgo';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './uploads.module.css';
import { spellRequires, spellSize, typeLabels, versionNotDetected } from './words';

type UploadActions = { onInstall: (upload: Upload) => void; onDelete: (upload: Upload) => void };

function UploadName({ upload: { filename, name, requires } }: { upload: Upload }) {
  const requirements = spellRequires(requires);
  return (
    <>
      <span className={facts['file']}>{filename}</span>
      <p className={table['more']}>{requirements === undefined ? name : `${name} · ${requirements}`}</p>
    </>
  );
}

const Version = ({ version }: Pick<Upload, 'version'>) =>
  version === null ? (
    <span title={versionNotDetected}>
      —<VisuallyHidden>{versionNotDetected}</VisuallyHidden>
    </span>
  ) : (
    version
  );

const Actions = ({ upload, onInstall, onDelete }: { upload: Upload } & UploadActions) => (
  <Group gap={0} wrap="nowrap">
    <IconButton
      isAtEdge
      icon={PackagePlus}
      label={`Installer ${upload.filename} sur des sites`}
      onClick={() => onInstall(upload)}
    />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${upload.filename}`} onClick={() => onDelete(upload)} />
  </Group>
);

const columns: readonly Column<Upload>[] = [
  { id: 'file', label: 'Fichier', isRowHeader: true, render: (upload) => <UploadName upload={upload} /> },
  { id: 'type', label: 'Type', width: 96, render: ({ type }) => typeLabels[type] },
  { id: 'version', label: 'Version', width: '14%', render: ({ version }) => <Version version={version} /> },
  { id: 'size', label: 'Taille', width: 128, align: 'right', render: ({ size }) => spellSize(size) },
  { id: 'date', label: 'Date', width: '18%', render: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];

type Props = UploadActions & { uploads: readonly Upload[] };

export function UploadsTable({ uploads, ...actions }: Props) {
  const actionsOf = (upload: Upload) => <Actions upload={upload} {...actions} />;
  return (
    <DataTable
      className={styles['table']}
      narrowBelow={768}
      rows={uploads}
      rowId={({ id }) => id}
      columns={[...columns, { ...actionsColumn, width: 'calc(2 * var(--control-height) + 24px)', render: actionsOf }]}
      renderCard={(upload) => (
        <Group gap={12} wrap="nowrap" justify="space-between" p="8px 4px 8px 16px">
          <Box miw={0}>
            <UploadName upload={upload} />
            <p className={table['more']}>
              {typeLabels[upload.type]} · <Version version={upload.version} /> · {spellSize(upload.size)} ·{' '}
              <TimeAgo at={upload.createdAt} />
            </p>
          </Box>
          {actionsOf(upload)}
        </Group>
      )}
    />
  );
}
