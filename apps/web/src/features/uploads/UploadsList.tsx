import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Upload } from '@vigie/contracts/uploads';
import { CloudOff, Package, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isApiError, sentenceOf } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Pager } from '../../ui/Pager';
import { plural } from '../../ui/plural';
import { SearchField } from '../../ui/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteUpload } from './DeleteUpload';
import type { UploadsSearch } from './search';
import styles from './UploadsList.module.css';
import { UploadCards, UploadsTable } from './UploadsTable';
import { uploadsApi } from './uploads.api';
import { matches } from './words';

const failed = 'Impossible de charger les archives.';
const size = 50;

type Props = { search: UploadsSearch; onChange: (change: Partial<UploadsSearch>) => void };

function useUploads() {
  const answer = uploadsApi.useUploadsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { error } = answer;
  useEffect(() => {
    if (error) tellFailure(error, failed);
  }, [error]);
  return { ...answer, sentence: error && ((isApiError(error) && sentenceOf(error)) || failed) };
}

function Nothing({ isFiltered, onChange }: { isFiltered: boolean } & Pick<Props, 'onChange'>) {
  if (!isFiltered) {
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

function Shown({ uploads, search, onChange }: Props & { uploads: readonly Upload[] }) {
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false });
  const [leaving, setLeaving] = useState<Upload>();
  const { q = '', page = 1 } = search;
  const found = uploads.filter((upload) => matches(upload, q));
  const last = Math.max(1, Math.ceil(found.length / size));
  const at = Math.min(page, last);
  const Shape = isNarrow ? UploadCards : UploadsTable;
  return (
    <>
      {uploads.length > 0 && (
        <div className={styles['toolbar']}>
          <SearchField
            label="Rechercher une archive"
            className={styles['search']}
            value={q}
            onChange={(text) => onChange({ q: text || undefined, page: undefined })}
          />
          <output className={styles['count']}>{plural(found.length, 'archive', 'archives')}</output>
        </div>
      )}
      <div className={styles['list']}>
        {found.length === 0 ? (
          <Nothing isFiltered={uploads.length > 0} onChange={onChange} />
        ) : (
          <>
            <Shape uploads={found.slice((at - 1) * size, at * size)} onDelete={setLeaving} />
            <Pager
              page={at}
              size={size}
              total={found.length}
              onChange={(next) => onChange({ page: next > 1 ? next : undefined })}
            />
          </>
        )}
      </div>
      {leaving && <DeleteUpload key={leaving.id} upload={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

export function UploadsList(props: Props) {
  const { data, sentence, isFetching, refetch } = useUploads();
  const again = (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Réessayer
    </Button>
  );
  if (data) {
    return (
      <>
        <Failure sentence={sentence}>{again}</Failure>
        <Shown {...props} uploads={data} />
      </>
    );
  }
  return (
    <div className={styles['list']}>
      {sentence === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <EmptyState icon={CloudOff} title={sentence} actions={again} role="alert" />
      )}
    </div>
  );
}
