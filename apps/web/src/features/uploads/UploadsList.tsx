import { Button } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { Package, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../kit/list/ListFrame';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { usePages } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useDebouncedSearch } from '../../kit/list/useDebouncedSearch';
import { DeleteUpload } from './DeleteUpload';
import type { UploadsSearch } from './search';
import styles from './UploadsList.module.css';
import { UploadCards, UploadsTable } from './UploadsTable';
import { type Page, uploadsApi } from './uploads.api';

const loadFailed = 'Impossible de charger les archives.';
const pageSize = 50;

function useUploads({ q = '', page = 1 }: UploadsSearch) {
  const params = { q: useDebouncedSearch(q), limit: pageSize, offset: (page - 1) * pageSize };
  const answer = uploadsApi.useUploadsQuery(params, { refetchOnMountOrArgChange: true });
  return useListQuery(answer, loadFailed);
}

type Props = {
  search: UploadsSearch;
  onChange: (change: Partial<UploadsSearch>) => void;
  onInstall: (upload: Upload) => void;
};

function EmptyUploads({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  if (search.q === undefined) {
    return (
      <EmptyState icon={Package} title="Aucune archive pour l’instant.">
        <p>Déposez au-dessus l’archive .zip d’un plugin ou d’un thème, pour l’installer ensuite sur vos sites.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="Aucune archive ne correspond."
      actions={
        <Button variant="default" onClick={() => onChange({ q: undefined, page: undefined })}>
          Effacer la recherche
        </Button>
      }
    />
  );
}

type UploadsPageProps = Props & { page: Page | undefined; goTo: (page: number) => void };

function UploadsPage({ page, goTo, search, onChange, onInstall }: UploadsPageProps) {
  const isNarrow = useNarrow(768);
  const [deleting, setDeleting] = useState<Upload>();
  const Layout = isNarrow ? UploadCards : UploadsTable;
  if (!page) return <Skeleton rows={4} />;
  return (
    <>
      {page.total === 0 ? (
        <EmptyUploads search={search} onChange={onChange} />
      ) : (
        <>
          <Layout uploads={page.items} onInstall={onInstall} onDelete={setDeleting} />
          <Pager page={search.page ?? 1} size={pageSize} total={page.total} onChange={goTo} />
        </>
      )}
      {deleting && <DeleteUpload key={deleting.id} upload={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

export function UploadsList(props: Props) {
  const { search, onChange } = props;
  const { q } = search;
  const answer = useUploads(search);
  const { data, currentData } = answer;
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (next) =>
    onChange({ page: next }),
  );
  const page = pageToShow(answer);
  const tools = (q !== undefined || (data !== undefined && data.total > 0)) && (
    <div className={styles['toolbar']}>
      <SearchField
        label="Rechercher une archive"
        className={styles['search']}
        value={q ?? ''}
        onChange={(text) => onChange({ q: text || undefined, page: undefined })}
      />
      <output className={styles['count']}>{data && plural(data.total, 'archive', 'archives')}</output>
    </div>
  );
  return (
    <ListFrame answer={answer} tools={tools}>
      <UploadsPage {...props} page={page} goTo={goTo} />
    </ListFrame>
  );
}
