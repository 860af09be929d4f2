import { Button } from '@mantine/core';
import { recordTypes } from '@vigie/contracts/dns-content';
import { Plus } from 'lucide-react';
import { sortControls } from '../../kit/list/search-params';
import { plural } from '../../ui/plural';
import { RefreshButton } from '../../ui/RefreshButton';
import { ListCount } from '../../kit/list/ListScreen';
import { SearchField } from '../../kit/list/SearchField';
import { SelectField } from '../../ui/SelectField';
import { SortChoice } from '../../kit/list/SortChoice';
import toolbar from '../../ui/Toolbar.module.css';
import { useNarrow } from '../../ui/useNarrow';
import { recordColumnLabels } from './RecordsTable';
import type { RecordsPage } from './records.api';
import { type Change, recordColumns, type ZonesSearch } from './search';

type Props = {
  search: ZonesSearch;
  show: Change;
  list: { isBusy: boolean; run: () => void };
  records: RecordsPage | undefined;
};

export function RecordsToolbar({ search, show, list, records }: Props) {
  const isNarrow = useNarrow();
  return (
    <>
      <div className={toolbar['toolbar']}>
        <search className={toolbar['filters']}>
          <SearchField
            label="Rechercher un enregistrement"
            className={toolbar['search']}
            value={search.q ?? ''}
            onChange={(q) => show({ q: q || undefined, page: undefined })}
          />
          <SelectField
            aria-label="Filtrer par type"
            className={toolbar['choice']}
            data={[{ value: '', label: 'Tous les types' }, ...recordTypes.map((value) => ({ value, label: value }))]}
            value={search.type ?? ''}
            onChange={({ currentTarget: { value } }) => show({ type: value || undefined, page: undefined })}
          />
          {isNarrow && <SortChoice {...sortControls(recordColumns, recordColumnLabels, search.sort, show)} />}
        </search>
        <div className={toolbar['actions']}>
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
      <ListCount at={records && new Date(records.read_at).getTime()}>
        {records && plural(records.total, 'enregistrement', 'enregistrements')}
      </ListCount>
    </>
  );
}
