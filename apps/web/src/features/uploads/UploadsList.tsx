import { Box, Group, Text } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { Package, PackagePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { DataTable } from '../../kit/list/DataTable';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { ListScreen } from '../../kit/list/ListScreen';
import table from '../../kit/list/list.module.css';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { useListQuery } from '../../kit/list/useListQuery';
import facts from '../../ui/About.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import toolbar from '../../ui/Toolbar.module.css';
import { toast } from '../../ui/toasts';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { UploadsSearch } from './search';
import { uploadsApi } from './uploads.api';
import styles from './uploads.module.css';
import { spellRequires, spellSize, typeLabels, versionNotDetected } from './words';

function DeleteUpload({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const [deleteUpload, call] = uploadsApi.useDeleteUploadMutation();
  const confirm = async () => {
    const { error } = await deleteUpload({ id: upload.id, type: upload.type, filename: upload.filename });
    if (error) return;
    toast.success(`${upload.filename} supprimé.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer ${upload.filename}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>L’archive ne pourra plus être installée. Les sites qui l’ont déjà la gardent.</p>
    </ConfirmDialog>
  );
}

const loadFailed = 'Impossible de charger les archives.';
const pageSize = 50;

function useUploads({ q = '', page = 1 }: UploadsSearch) {
  const params = { q: useDebouncedSearch(q), limit: pageSize, offset: (page - 1) * pageSize };
  const answer = uploadsApi.useUploadsQuery(params, { refetchOnMountOrArgChange: true });
  return useListQuery(answer, loadFailed);
}

const NoUploads = () => (
  <EmptyState icon={Package} title="Aucune archive pour l’instant.">
    <p>Déposez au-dessus l’archive .zip d’un plugin ou d’un thème, pour l’installer ensuite sur vos sites.</p>
  </EmptyState>
);

type Props = {
  search: UploadsSearch;
  onChange: (change: Partial<UploadsSearch>) => void;
  onInstall: (upload: Upload) => void;
};

export function UploadsList({ search: { q, page }, onChange, onInstall }: Props) {
  const answer = useUploads({ q, page });
  const { data } = answer;
  const [deleting, setDeleting] = useState<Upload>();
  const setQuery = (text: string) => onChange({ q: text || undefined, page: undefined });
  const tools = (q !== undefined || (data !== undefined && data.total > 0)) && (
    <Group justify="space-between" gap="8px 16px">
      <SearchField label="Rechercher une archive" className={toolbar['search']} value={q ?? ''} onChange={setQuery} />
      <Text component="output" variant="note">
        {data && plural(data.total, 'archive', 'archives')}
      </Text>
    </Group>
  );
  return (
    <>
      <ListScreen
        answer={answer}
        tools={tools}
        page={page}
        pageSize={pageSize}
        onPage={(next) => onChange({ page: next })}
        noMatch={
          q !== undefined && {
            title: 'Aucune archive ne correspond.',
            label: 'Effacer la recherche',
            onClear: () => setQuery(''),
          }
        }
        empty={<NoUploads />}
      >
        {({ items }) => <UploadsTable uploads={items} onInstall={onInstall} onDelete={setDeleting} />}
      </ListScreen>
      {deleting && <DeleteUpload key={deleting.id} upload={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

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

type UploadsTableProps = UploadActions & { uploads: readonly Upload[] };

function UploadsTable({ uploads, ...actions }: UploadsTableProps) {
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
