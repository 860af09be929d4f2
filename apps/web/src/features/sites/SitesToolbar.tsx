import { Button } from '@mantine/core';
import { SiteStatus } from '@vigie/contracts/sites';
import { PlugZap, RefreshCw, X } from 'lucide-react';
import { GroupFilter } from '../../app/GroupFilter';
import { useServer } from '../../app/servers';
import { SearchField } from '../../ui/SearchField';
import { SortChoice } from '../../ui/SortChoice';
import { SelectField } from '../../ui/SelectField';
import styles from './SitesToolbar.module.css';
import { columns, type SitesSearch, sortBy, sortOf } from './search';
import { columnLabels, statuses } from './words';

type Change = (change: Partial<SitesSearch>) => void;
type Busy = { isBusy: boolean; run: () => void };
type Props = {
  search: SitesSearch;
  /** Where there are no column heads to sort by. */
  withSort: boolean;
  list: Busy;
  tests: Busy & { label: string };
  onChange: Change;
};

const Sort = ({ search, onChange }: { search: SitesSearch; onChange: Change }) => (
  <SortChoice
    {...sortOf(search)}
    columns={columns}
    labels={columnLabels}
    className={styles['choice']}
    onChange={(column, isDescending) => onChange({ sort: sortBy(column, isDescending), page: undefined })}
  />
);

function StatusFilter({ search, onChange }: { search: SitesSearch; onChange: Change }) {
  return (
    <SelectField
      aria-label="Filtrer par statut"
      className={styles['choice']}
      data={[
        { value: '', label: 'Tous les statuts' },
        ...SiteStatus.options.map((value) => ({ value, label: statuses[value].word })),
      ]}
      value={search.status ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ status: SiteStatus.safeParse(value).data, page: undefined })
      }
    />
  );
}

/** Where a link led: only the sites of one server, until somebody wants the others. */
function ServerFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useServer(id);
  return (
    <Button variant="default" rightSection={<X size={14} aria-hidden />} onClick={onClear}>
      {`Serveur\u00a0: ${data?.name ?? '…'}`}
    </Button>
  );
}

export function SitesToolbar({ search, withSort, list, tests, onChange }: Props) {
  return (
    <div className={styles['toolbar']}>
      <search className={styles['filters']}>
        <SearchField
          label="Rechercher un site"
          className={styles['search']}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined, page: undefined })}
        />
        <GroupFilter
          className={styles['choice'] ?? ''}
          value={search.group}
          onChange={(group) => onChange({ group, page: undefined })}
        />
        <StatusFilter search={search} onChange={onChange} />
        {search.server !== undefined && (
          <ServerFilter id={search.server} onClear={() => onChange({ server: undefined, page: undefined })} />
        )}
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
          loading={list.isBusy}
          leftSection={<RefreshCw size={16} aria-hidden />}
          onClick={list.run}
        >
          Actualiser
        </Button>
      </div>
    </div>
  );
}
