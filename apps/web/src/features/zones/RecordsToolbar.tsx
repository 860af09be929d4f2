import { Button } from '@mantine/core';
import { recordTypes } from '@vigie/contracts/dns-content';
import { Plus } from 'lucide-react';
import { sortBy, sortedBy } from '../../app/address';
import { RefreshButton } from '../../ui/RefreshButton';
import { SearchField } from '../../ui/SearchField';
import { SelectField } from '../../ui/SelectField';
import { SortChoice } from '../../ui/SortChoice';
import { useNarrow } from '../../ui/useNarrow';
import { recordColumnLabels } from './RecordsTable';
import { type Change, recordColumns, type ZonesSearch } from './search';
import styles from './Toolbar.module.css';

type Props = {
  search: ZonesSearch;
  show: Change;
  list: { isBusy: boolean; run: () => void };
};

export function RecordsToolbar({ search, show, list }: Props) {
  const isNarrow = useNarrow();
  return (
    <div className={styles['toolbar']}>
      <search className={styles['filters']}>
        <SearchField
          label="Rechercher un enregistrement"
          className={styles['search']}
          value={search.q ?? ''}
          onChange={(q) => show({ q: q || undefined, page: undefined })}
        />
        <SelectField
          aria-label="Filtrer par type"
          className={styles['choice']}
          data={[{ value: '', label: 'Tous les types' }, ...recordTypes.map((value) => ({ value, label: value }))]}
          value={search.type ?? ''}
          onChange={({ currentTarget: { value } }) => show({ type: value || undefined, page: undefined })}
        />
        {isNarrow && (
          <SortChoice
            {...sortedBy(recordColumns, search.sort)}
            columns={recordColumns}
            labels={recordColumnLabels}
            className={styles['short']}
            onChange={(column, isDescending) => show({ sort: sortBy(column, isDescending), page: undefined })}
          />
        )}
      </search>
      <div className={styles['actions']}>
        <RefreshButton {...list}>Actualiser</RefreshButton>
        <Button
          aria-label="Ajouter un enregistrement"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => show({ record: 'new' })}
        >
          Ajouter
        </Button>
      </div>
    </div>
  );
}
