import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Puzzle, SearchX } from 'lucide-react';
import { changeSearch } from '../../kit/list/changeSearch';
import { ClearFilters } from '../../kit/list/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../kit/list/ListFrame';
import frame from '../../ui/Page.module.css';
import { Pager } from '../../kit/list/Pager';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { usePages } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { ScanAge, ScanFailures } from './Diagnosis';
import { PluginPanel } from './PluginPanel';
import { type ListProps, PluginCards, PluginsTable } from './PluginRows';
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

function EmptyPlugins({ search, onChange }: { search: PluginsSearch; onChange: Change }) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun plugin ne correspond."
        actions={<ClearFilters onClear={() => onChange(unfiltered)} />}
      />
    );
  }
  return (
    <EmptyState
      icon={Puzzle}
      title="Aucun plugin pour l’instant."
      actions={<Button renderRoot={(props) => <Link {...props} to="/sites" search={{}} />}>Voir les sites</Button>}
    >
      <p>Les plugins de vos sites s’affichent ici dès que Vigie a pu les lire.</p>
    </EmptyState>
  );
}

type Props = {
  search: Search;
  Update: UpdateComponent;
  /** Called with the sites where a plugin has an update, to plan it for all of them. */
  onUpdateEverywhere: (targets: UpdateTargets) => void;
};

type PluginsListProps = Omit<ListProps, 'items'> & { overview: ReturnType<typeof useOverview> };

function PluginsList({ overview, ...rest }: PluginsListProps) {
  const isNarrow = useNarrow();
  const { search, onChange } = rest;
  const page = pageToShow(overview);
  const total = overview.currentData?.total;
  const goTo = usePages({ page: search.page, size: pageSize, total }, (next) => onChange({ page: next }));
  const Layout = isNarrow ? PluginCards : PluginsTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.items.length === 0) return <EmptyPlugins search={search} onChange={onChange} />;
  return (
    <>
      <Layout {...rest} items={page.items} />
      <Pager page={search.page ?? 1} size={pageSize} total={page.total} onChange={goTo} />
    </>
  );
}

export function PluginsPage({ search, Update, onUpdateEverywhere }: Props) {
  const show = useShow();
  const params = usePluginsParams(search);
  const overview = useOverview(params);
  const updateEverywhere = useUpdateEverywhere(search.group, onUpdateEverywhere);
  const csv = useCsvExport(params);
  const { data } = overview;
  return (
    <div className={frame['page']}>
      <header>
        <h1>Plugins</h1>
        <p className={frame['lead']}>Chaque plugin, les sites qui l’utilisent et ses mises à jour en attente.</p>
      </header>
      <ListFrame
        answer={overview}
        tools={
          <>
            <Toolbar
              search={search}
              refresh={{ isBusy: overview.isRefreshing, run: overview.forceRefresh, failure: overview.refreshFailure }}
              csv={csv}
              onChange={show}
            />
            {data && <ScanFailures read={data} search={search} onChange={show} />}
            <ListCount at={data && overview.fulfilledTimeStamp}>
              {data && spellTotals(data.total, data.updates_total)}
              {data && <ScanAge read={data} />}
            </ListCount>
          </>
        }
      >
        <PluginsList
          overview={overview}
          search={search}
          searchingSlug={updateEverywhere.searchingSlug}
          searchFailure={updateEverywhere.searchFailure}
          Update={Update}
          onUpdateEverywhere={updateEverywhere.findTargets}
          onChange={show}
        />
      </ListFrame>
      {/* Only one panel fits: the profile hides this one. */}
      {search.sites !== undefined && search.panel === undefined && (
        <PluginPanel
          key={search.sites}
          slug={search.sites}
          search={search}
          Update={Update}
          onChange={show}
          onClose={() => show(openPanel(undefined))}
        />
      )}
    </div>
  );
}
