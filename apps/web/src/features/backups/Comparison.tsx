import { CloudOff, Equal } from 'lucide-react';
import { failureReason } from '../../kit/query/failures';
import { EmptyState } from '../../ui/EmptyState';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import styles from './Archive.module.css';
import { type ArchiveRef, archivesApi, type Comparison as Compared, pageSize } from './backups.api';
import type { ArchiveSearch } from './search';
import { differenceLabel, differenceName, formatSizes } from './words';

type Props = {
  archive: ArchiveRef;
  other: string;
  sheet: number;
  onChange: (change: Partial<ArchiveSearch>) => void;
};

const formatCounts = ({ added, removed, changed, unknown, same }: Compared['counts']) =>
  [
    plural(added, 'ajouté', 'ajoutés'),
    plural(removed, 'retiré', 'retirés'),
    plural(changed, 'modifié', 'modifiés'),
    ...(unknown > 0 ? [plural(unknown, 'non comparé', 'non comparés')] : []),
    plural(same, 'identique', 'identiques'),
  ].join(' · ');

function Differences({ compared: { items, total, counts } }: { compared: Compared }) {
  return (
    <>
      <output className={styles['more']}>{formatCounts(counts)}</output>
      {total === 0 && <EmptyState icon={Equal} title="Ces deux archives ont le même contenu." />}
      <ul className={styles['entries']} aria-label="Différences">
        {items.map((item) => {
          const { tone, word } = differenceLabel(item);
          return (
            <li key={`${item.kind} ${item.path}`} className={styles['entry']}>
              <div className={styles['name']}>
                <span>{differenceName(item)}</span>
                <p className={styles['more']}>{formatSizes(item)}</p>
              </div>
              <Status tone={tone}>{word}</Status>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function Comparison({ archive, other, sheet, onChange }: Props) {
  const { currentData, error, isFetching, refetch } = archivesApi.useComparisonQuery({
    ...archive,
    other,
    offset: (sheet - 1) * pageSize,
    limit: pageSize,
  });
  if (error) {
    return (
      <EmptyState
        icon={CloudOff}
        role="alert"
        title={failureReason(error, 'Impossible de comparer ces archives.')}
        actions={<RetryButton isBusy={isFetching} onRetry={refetch} />}
      />
    );
  }
  if (!currentData) return <Skeleton rows={6} />;
  return (
    <>
      <p className={styles['more']}>{`De cette archive à ${other}\u00a0:`}</p>
      <Differences compared={currentData} />
      <Pager
        page={sheet}
        size={pageSize}
        total={currentData.total}
        onChange={(next) => onChange({ sheet: next > 1 ? next : undefined })}
      />
    </>
  );
}
