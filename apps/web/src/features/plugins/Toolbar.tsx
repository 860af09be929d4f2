import { Button, Checkbox, Group } from '@mantine/core';
import { pluginSorts } from '@vigie/contracts/plugins';
import { Download } from 'lucide-react';
import { GroupFilter } from '../../kit/fleet/GroupFilter';
import { Failure } from '../../ui/Failure';
import { type AsyncAction, RefreshButton } from '../../ui/RefreshButton';
import { FoldedFilters } from '../../kit/list/FoldedFilters';
import { SearchField } from '../../kit/list/SearchField';
import { SelectField } from '../../ui/SelectField';
import toolbar from '../../ui/Toolbar.module.css';
import type { Change, PluginsSearch } from './search';
import { sortLabels } from './words';

export const OnlyUpdates = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox label="Mises à jour seulement" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
);

type Props = { search: PluginsSearch; refresh: AsyncAction; csv: AsyncAction; onChange: Change };

export function Toolbar({ search, refresh, csv, onChange }: Props) {
  const failure = csv.failure ?? refresh.failure;
  return (
    <>
      <Group justify="space-between" align="flex-start" gap={8} style={{ '--search': '320px' }}>
        <search className={toolbar['filters']}>
          <Filters search={search} onChange={onChange} />
        </search>
        <div className={toolbar['actions']}>
          <Button
            variant="default"
            loading={csv.isBusy}
            leftSection={<Download size={16} aria-hidden />}
            onClick={csv.run}
          >
            Exporter en CSV
          </Button>
          <RefreshButton {...refresh}>Relire les sites</RefreshButton>
        </div>
      </Group>
      {failure !== undefined && <Failure sentence={failure} />}
    </>
  );
}

function Filters({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const { q = '', group, updates } = search;
  const field = (
    <SearchField
      label="Rechercher un plugin"
      className={toolbar['search']}
      value={q}
      onChange={(next) => onChange({ q: next || undefined, page: undefined })}
    />
  );
  return (
    <FoldedFilters search={field} count={[group, updates].filter((value) => value !== undefined).length}>
      <GroupFilter
        className={toolbar['choice'] ?? ''}
        value={group}
        onChange={(groupId) => onChange({ group: groupId, page: undefined })}
      />
      <SortField search={search} onChange={onChange} />
      <OnlyUpdates
        isOn={updates === true}
        onChange={(isOn) => onChange({ updates: isOn || undefined, page: undefined })}
      />
    </FoldedFilters>
  );
}

function SortField({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  return (
    <SelectField
      aria-label="Trier les plugins"
      className={toolbar['choice']}
      data={pluginSorts.map((value) => ({ value, label: sortLabels[value] }))}
      value={search.sort ?? 'updates_desc'}
      onChange={({ currentTarget: { value } }) => {
        const sort = pluginSorts.find((option) => option === value);
        onChange({ sort: sort === 'updates_desc' ? undefined : sort, page: undefined });
      }}
    />
  );
}
