import { Button, Group } from '@mantine/core';
import { Activity, ChevronDown, List, PlugZap } from 'lucide-react';
import { sortControls } from '../../kit/list/search-params';
import { GroupFilter } from '../../kit/fleet/GroupFilter';
import { Dropdown } from '../../ui/Dropdown';
import { MenuItems } from '../../ui/MenuItems';
import { type AsyncAction, RefreshButton } from '../../ui/RefreshButton';
import { FoldedFilters } from '../../kit/list/FoldedFilters';
import { SearchField } from '../../kit/list/SearchField';
import { SortChoice } from '../../kit/list/SortChoice';
import toolbar from '../../ui/Toolbar.module.css';
import { columns, type ServersSearch } from './search';
import { columnLabels } from './words';

type Change = (change: Partial<ServersSearch>) => void;
type Props = {
  search: ServersSearch;
  /** Set on narrow screens, which have no column heads to sort by. */
  withSort: boolean;
  statuses: AsyncAction;
  list: AsyncAction;
  /** Undefined where there is no server to test. */
  tests: (AsyncAction & { label: string }) | undefined;
  onChange: Change;
};

export function ServersToolbar({ search, withSort, statuses, list, tests, onChange }: Props) {
  return (
    <div className={toolbar['toolbar']}>
      <search className={toolbar['filters']}>
        <FoldedFilters
          count={search.group === undefined ? 0 : 1}
          search={
            <SearchField
              label="Rechercher un serveur"
              className={toolbar['search']}
              value={search.q ?? ''}
              onChange={(q) => onChange({ q: q || undefined, page: undefined })}
            />
          }
        >
          <GroupFilter
            className={toolbar['choice'] ?? ''}
            value={search.group}
            onChange={(groupId) => onChange({ group: groupId, page: undefined })}
          />
          {withSort && <SortChoice {...sortControls(columns, columnLabels, search.sort, onChange)} />}
        </FoldedFilters>
      </search>
      <div className={toolbar['actions']}>
        {tests && (
          <Button
            variant="default"
            loading={tests.isBusy}
            leftSection={<PlugZap size={16} aria-hidden />}
            onClick={tests.run}
          >
            {tests.label}
          </Button>
        )}
        <Refresh statuses={statuses} list={list} />
      </div>
    </div>
  );
}

type RefreshProps = Pick<Props, 'statuses' | 'list'>;

/** Reads the list and checks each server anew; the menu does one without the other. */
const Refresh = ({ statuses, list }: RefreshProps) => (
  <Group gap={4} wrap="nowrap">
    <RefreshButton
      isBusy={list.isBusy || statuses.isBusy}
      run={() => {
        list.run();
        statuses.run();
      }}
    >
      Actualiser
    </RefreshButton>
    <Dropdown label="Choisir quoi actualiser" icon={ChevronDown} isIcon>
      {(close) => (
        <MenuItems
          close={close}
          items={[
            { label: 'Actualiser les statuts', icon: Activity, run: statuses.run },
            { label: 'Actualiser la liste', icon: List, run: list.run },
          ]}
        />
      )}
    </Dropdown>
  </Group>
);
