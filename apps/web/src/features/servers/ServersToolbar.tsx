import { Button } from '@mantine/core';
import { Activity, PlugZap } from 'lucide-react';
import { sortBy, sortedBy } from '../../app/address';
import { GroupFilter } from '../../app/GroupFilter';
import { type Busy, RefreshButton } from '../../ui/RefreshButton';
import { SearchField } from '../../ui/SearchField';
import { SortChoice } from '../../ui/SortChoice';
import styles from './ServersToolbar.module.css';
import { columns, type ServersSearch } from './search';
import { columnLabels } from './words';

type Change = (change: Partial<ServersSearch>) => void;
type Props = {
  search: ServersSearch;
  /** Where there are no column heads to sort by. */
  withSort: boolean;
  statuses: Busy;
  list: Busy;
  tests: Busy & { label: string };
  onChange: Change;
};

const Sort = ({ search, onChange }: { search: ServersSearch; onChange: Change }) => (
  <SortChoice
    {...sortedBy(columns, search.sort)}
    columns={columns}
    labels={columnLabels}
    className={styles['sort']}
    onChange={(column, isDescending) => onChange({ sort: sortBy(column, isDescending), page: undefined })}
  />
);

export function ServersToolbar({ search, withSort, statuses, list, tests, onChange }: Props) {
  return (
    <div className={styles['toolbar']}>
      <search className={styles['filters']}>
        <SearchField
          label="Rechercher un serveur"
          className={styles['search']}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined, page: undefined })}
        />
        <GroupFilter
          className={styles['groups'] ?? ''}
          value={search.group}
          onChange={(group) => onChange({ group, page: undefined })}
        />
        {withSort && <Sort search={search} onChange={onChange} />}
      </search>
      <div className={styles['refresh']}>
        <Button
          variant="default"
          loading={tests.isBusy}
          leftSection={<PlugZap size={16} aria-hidden />}
          onClick={tests.run}
        >
          {tests.label}
        </Button>
        <Button
          variant="default"
          loading={statuses.isBusy}
          leftSection={<Activity size={16} aria-hidden />}
          onClick={statuses.run}
        >
          Actualiser les statuts
        </Button>
        <RefreshButton {...list}>Actualiser</RefreshButton>
      </div>
    </div>
  );
}
