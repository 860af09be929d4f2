import { Button, Checkbox, Text } from '@mantine/core';
import { SiteStatus } from '@vigie/contracts/sites';
import { PlugZap, X, Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { sortControls } from '../../kit/list/search-params';
import { GroupFilter } from '../../kit/fleet/GroupFilter';
import { useServer } from '../../kit/fleet/servers';
import { Failure } from '../../ui/Failure';
import { type AsyncAction, RefreshButton } from '../../ui/RefreshButton';
import { SearchField } from '../../kit/list/SearchField';
import { SortChoice } from '../../kit/list/SortChoice';
import { SelectField } from '../../ui/SelectField';
import toolbar from '../../ui/Toolbar.module.css';
import { TokenHelp, SearchTokens } from './SearchTokens';
import styles from './sites.module.css';
import { columns, pageSizes, type SitesSearch } from './search';
import { columnLabels, statuses } from './words';
import { siteColumns } from '@vigie/contracts/site-views';
import { Dropdown } from '../../ui/Dropdown';
import { useSignal } from '../../ui/signal';
import { chooseColumns, chosenColumns } from './columns';

/** Chooses the columns of the list; columns without room move below the name. */
function ColumnChoice() {
  const chosen = useSignal(chosenColumns);
  return (
    <Dropdown label="Colonnes" icon={Columns3} isBrief>
      <fieldset>
        <Text component="legend" variant="hint" p="4px 8px">
          Colonnes affichées
        </Text>
        {siteColumns.map((column) => (
          <Checkbox
            key={column}
            className={styles['column'] ?? ''}
            w="auto"
            px={8}
            bdrs="sm"
            label={columnLabels[column]}
            checked={chosen.includes(column)}
            onChange={({ currentTarget: { checked } }) =>
              chooseColumns(checked ? [...chosen, column] : chosen.filter((other) => other !== column))
            }
          />
        ))}
      </fieldset>
    </Dropdown>
  );
}

type Change = (change: Partial<SitesSearch>) => void;
type Props = {
  search: SitesSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  list: AsyncAction;
  tests: AsyncAction & { label: string };
  /** The saved views of the list. */
  views: ReactNode;
  onChange: Change;
};

function StatusFilter({ search, onChange }: { search: SitesSearch; onChange: Change }) {
  return (
    <SelectField
      aria-label="Filtrer par statut"
      className={toolbar['choice']}
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

/** Shows that a link filtered the list by server, and clears that filter. */
function ServerFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useServer(id);
  return (
    <Button variant="default" rightSection={<X size={14} aria-hidden />} onClick={onClear}>
      {`Serveur\u00a0: ${data?.name ?? '…'}`}
    </Button>
  );
}

const PageSize = ({ search: { size }, onChange }: { search: SitesSearch; onChange: Change }) => (
  <SelectField
    aria-label="Sites par page"
    w={144}
    data={pageSizes.map((count) => ({ value: String(count), label: `${count} par page` }))}
    value={String(size ?? pageSizes[0])}
    onChange={({ currentTarget: { value } }) =>
      onChange({ size: value === '200' ? 200 : value === '1000' ? 1_000 : undefined, page: undefined })
    }
  />
);

export function SitesToolbar({ search, withSort, list, tests, views, onChange }: Props) {
  const { q = '' } = search;
  const changeQuery = (next: string) => onChange({ q: next || undefined, page: undefined });
  return (
    <div className={`${toolbar['toolbar']} ${styles['toolbar']}`}>
      <search className={toolbar['filters']}>
        <SearchField label="Rechercher un site" className={toolbar['search']} value={q} onChange={changeQuery} />
        <TokenHelp q={q} onChange={changeQuery} />
        <GroupFilter
          className={toolbar['choice'] ?? ''}
          value={search.group}
          onChange={(groupId) => onChange({ group: groupId, page: undefined })}
        />
        <StatusFilter search={search} onChange={onChange} />
        {search.server !== undefined && (
          <ServerFilter id={search.server} onClear={() => onChange({ server: undefined, page: undefined })} />
        )}
        {withSort && <SortChoice {...sortControls(columns, columnLabels, search.sort, onChange)} />}
      </search>
      <div className={toolbar['actions']}>
        {views}
        <ColumnChoice />
        <PageSize search={search} onChange={onChange} />
        <Button
          variant="default"
          loading={tests.isBusy}
          leftSection={<PlugZap size={16} aria-hidden />}
          onClick={tests.run}
        >
          {tests.label}
        </Button>
        <RefreshButton {...list}>Actualiser</RefreshButton>
      </div>
      {tests.failure !== undefined && <Failure sentence={tests.failure} />}
      <SearchTokens q={q} onChange={changeQuery} />
    </div>
  );
}
