import { Group, Text } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { ListScreen } from '../../kit/list/ListScreen';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import toolbar from '../../ui/Toolbar.module.css';
import type { UploadsSearch } from './search';
import { UploadsTable } from './UploadsTable';
import { uploadsApi } from './uploads.api';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';

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
