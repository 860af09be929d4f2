import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Upload } from '@vigie/contracts/uploads';
import { Package, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../ui/ListFrame';
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

type Props = {
  search: UploadsSearch;
  onChange: (change: Partial<UploadsSearch>) => void;
  onInstall: (upload: Upload) => void;
};

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

type FoundProps = Props & { uploads: readonly Upload[]; found: readonly Upload[] };

function Found({ uploads, found, search, onChange, onInstall }: FoundProps) {
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false });
  const [leaving, setLeaving] = useState<Upload>();
  const last = Math.max(1, Math.ceil(found.length / size));
  const at = Math.min(search.page ?? 1, last);
  const Shape = isNarrow ? UploadCards : UploadsTable;
  return (
    <>
      {found.length === 0 ? (
        <Nothing isFiltered={uploads.length > 0} onChange={onChange} />
      ) : (
        <>
          <Shape uploads={found.slice((at - 1) * size, at * size)} onInstall={onInstall} onDelete={setLeaving} />
          <Pager
            page={at}
            size={size}
            total={found.length}
            onChange={(next) => onChange({ page: next > 1 ? next : undefined })}
          />
        </>
      )}
      {leaving && <DeleteUpload key={leaving.id} upload={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

export function UploadsList(props: Props) {
  const { search, onChange } = props;
  const answer = useListed(uploadsApi.useUploadsQuery(undefined, { refetchOnMountOrArgChange: true }), failed);
  const { data } = answer;
  const { q = '' } = search;
  const found = data?.filter((upload) => matches(upload, q)) ?? [];
  const tools = data !== undefined && data.length > 0 && (
    <div className={styles['toolbar']}>
      <SearchField
        label="Rechercher une archive"
        className={styles['search']}
        value={q}
        onChange={(text) => onChange({ q: text || undefined, page: undefined })}
      />
      <output className={styles['count']}>{plural(found.length, 'archive', 'archives')}</output>
    </div>
  );
  return (
    <ListFrame answer={answer} tools={tools}>
      {data ? <Found {...props} uploads={data} found={found} /> : <Skeleton rows={4} />}
    </ListFrame>
  );
}
