import { Text } from '@mantine/core';
import { Equal } from 'lucide-react';
import { failureReason } from '../../kit/query/failures';
import { ReadFailed } from '../../ui/ReadFailed';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import table from '../../kit/list/list.module.css';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import styles from './backups.module.css';
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
      <Text component="output" variant="hint">
        {formatCounts(counts)}
      </Text>
      {total === 0 && <EmptyState icon={Equal} title="Ces deux archives ont le même contenu." />}
      <Lines aria-label="Différences" fz={13}>
        {items.map((item) => {
          const { tone, word } = differenceLabel(item);
          return (
            <li key={`${item.kind} ${item.path}`} className={styles['entry']}>
              <div>
                <span>{differenceName(item)}</span>
                <p className={table['more']}>{formatSizes(item)}</p>
              </div>
              <Status tone={tone}>{word}</Status>
            </li>
          );
        })}
      </Lines>
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
      <ReadFailed
        sentence={failureReason(error, 'Impossible de comparer ces archives.')}
        isBusy={isFetching}
        onRetry={refetch}
      />
    );
  }
  if (!currentData) return <Skeleton rows={6} />;
  return (
    <>
      <Text variant="hint">{`De cette archive à ${other}\u00a0:`}</Text>
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
