import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Puzzle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { changeSearch } from '../../kit/list/search-params';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { Page } from '../../ui/Page';
import { ScanAge, ScanFailures } from './Diagnosis';
import { PluginPanel } from './PluginPanel';
import { PluginsTable } from './PluginsTable';
import { type Change, isFiltered, openPanel, type PluginsSearch, unfiltered } from './search';
import type { UpdateComponent } from './SiteLine';
import { Toolbar } from './Toolbar';
import { type UpdateTargets, useUpdateEverywhere, useCsvExport } from './useActions';
import { pageSize, useOverview, usePluginsParams } from './useOverview';
import { spellTotals } from './words';

type Search = PluginsSearch & { panel?: 'profile' | undefined };

/** The address holds what the page shows. Opening a panel adds a history entry; changing a filter does not. */
function useShow(): Change {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/plugins', ...changeSearch<PluginsSearch>(change, options) });
}

const NoPlugins = () => (
  <EmptyState
    icon={Puzzle}
    title="Aucun plugin pour l’instant."
    actions={<Button renderRoot={(props) => <Link {...props} to="/sites" search={{}} />}>Voir les sites</Button>}
  >
    <p>Les plugins de vos sites s’affichent ici dès que Vigie a pu les lire.</p>
  </EmptyState>
);

type Props = {
  search: Search;
  Update: UpdateComponent;
  /** Called with the sites where a plugin has an update, to plan it for all of them. */
  onUpdateEverywhere: (targets: UpdateTargets) => void;
};

export function PluginsPage({ search, Update, onUpdateEverywhere }: Props) {
  const show = useShow();
  const params = usePluginsParams(search);
  const overview = useOverview(params);
  const updateEverywhere = useUpdateEverywhere(search.group, onUpdateEverywhere);
  const csv = useCsvExport(params);
  return (
    <Page title="Plugins" lead="Chaque plugin, les sites qui l’utilisent et ses mises à jour en attente.">
      <ListScreen
        answer={overview}
        tools={<Tools search={search} overview={overview} csv={csv} onChange={show} />}
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => show({ page })}
        noMatch={isFiltered(search) && { title: 'Aucun plugin ne correspond.', onClear: () => show(unfiltered) }}
        empty={<NoPlugins />}
      >
        {({ items }) => (
          <PluginsTable
            items={items}
            search={search}
            searchingSlug={updateEverywhere.searchingSlug}
            searchFailure={updateEverywhere.searchFailure}
            Update={Update}
            onUpdateEverywhere={updateEverywhere.findTargets}
            onChange={show}
          />
        )}
      </ListScreen>
      <OpenPlugin search={search} Update={Update} onChange={show} />
    </Page>
  );
}

type ToolsProps = Pick<ComponentProps<typeof Toolbar>, 'search' | 'csv' | 'onChange'> & {
  overview: ReturnType<typeof useOverview>;
};

function Tools({ search, overview, csv, onChange }: ToolsProps) {
  const { data, isRefreshing: isBusy, forceRefresh: run, refreshFailure: failure } = overview;
  return (
    <>
      <Toolbar search={search} refresh={{ isBusy, run, failure }} csv={csv} onChange={onChange} />
      <ListCount at={data && overview.fulfilledTimeStamp}>
        {data && spellTotals(data.total, data.updates_total)}
        {data && <ScanAge read={data} search={search} onChange={onChange} />}
      </ListCount>
      {data && search.failures && <ScanFailures read={data} search={search} />}
    </>
  );
}

type OpenPluginProps = Pick<Props, 'search' | 'Update'> & { onChange: Change };

/** Only one panel fits: the profile hides this one. */
function OpenPlugin({ search, Update, onChange }: OpenPluginProps) {
  if (search.sites === undefined || search.panel !== undefined) return null;
  return (
    <PluginPanel
      key={search.sites}
      slug={search.sites}
      search={search}
      Update={Update}
      onChange={onChange}
      onClose={() => onChange(openPanel(undefined))}
    />
  );
}
