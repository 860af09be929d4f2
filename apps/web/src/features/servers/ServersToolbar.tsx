import { Button } from '@mantine/core';
import { Activity, type LucideIcon, PlugZap } from 'lucide-react';
import { sortControls } from '../../kit/list/search-params';
import { GroupFilter } from '../../kit/fleet/GroupFilter';
import { type AsyncAction, RefreshButton } from '../../ui/RefreshButton';
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
        <SearchField
          label="Rechercher un serveur"
          className={toolbar['search']}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined, page: undefined })}
        />
        <GroupFilter
          className={toolbar['choice'] ?? ''}
          value={search.group}
          onChange={(groupId) => onChange({ group: groupId, page: undefined })}
        />
        {withSort && <SortChoice {...sortControls(columns, columnLabels, search.sort, onChange)} />}
      </search>
      <div className={toolbar['actions']}>
        {tests && (
          <ActionButton action={tests} icon={PlugZap}>
            {tests.label}
          </ActionButton>
        )}
        <ActionButton action={statuses} icon={Activity}>
          Actualiser les statuts
        </ActionButton>
        <RefreshButton {...list}>Actualiser</RefreshButton>
      </div>
    </div>
  );
}

type ActionButtonProps = { action: AsyncAction; icon: LucideIcon; children: string };

const ActionButton = ({ action: { isBusy, run }, icon: Icon, children }: ActionButtonProps) => (
  <Button variant="default" loading={isBusy} leftSection={<Icon size={16} aria-hidden />} onClick={run}>
    {children}
  </Button>
);
