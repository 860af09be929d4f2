import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Puzzle, SearchX } from 'lucide-react';
import { showing } from '../../app/showing';
import { ClearFilters } from '../../ui/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import frame from '../../ui/Page.module.css';
import { Pager } from '../../ui/Pager';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { usePages } from '../../ui/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { Age, Failures } from './Diagnosis';
import { PluginPanel } from './PluginPanel';
import { type ListProps, PluginCards, PluginsTable } from './PluginRows';
import { type Change, isFiltered, panelOf, type PluginsSearch, unfiltered } from './search';
import type { UpdatePart } from './SiteLine';
import { Toolbar } from './Toolbar';
import { type Everywhere, useEverywhere, useExport } from './useDeeds';
import { size, useOverview, useQuestion } from './useOverview';
import { spellTotals } from './words';

type Search = PluginsSearch & { panel?: 'profile' | undefined };

/** What is shown follows the address. A panel that opens is a step back; a filter is none. */
function useShow(): Change {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/plugins', ...showing<PluginsSearch>(change, options) });
}

function Nothing({ search, onChange }: { search: PluginsSearch; onChange: Change }) {
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
  Update: UpdatePart;
  /** Somebody wants the update of a plugin wherever it waits. */
  onEverywhere: (found: Everywhere) => void;
};

type ListedProps = Omit<ListProps, 'items'> & { overview: ReturnType<typeof useOverview> };

function Listed({ overview, ...rest }: ListedProps) {
  const isNarrow = useNarrow();
  const { search, onChange } = rest;
  const page = shownPage(overview);
  const total = overview.currentData?.total;
  const goTo = usePages({ page: search.page, size, total }, (next) => onChange({ page: next }));
  const Shape = isNarrow ? PluginCards : PluginsTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.items.length === 0) return <Nothing search={search} onChange={onChange} />;
  return (
    <>
      <Shape {...rest} items={page.items} />
      <Pager page={search.page ?? 1} size={size} total={page.total} onChange={goTo} />
    </>
  );
}

export function PluginsPage({ search, Update, onEverywhere }: Props) {
  const show = useShow();
  const question = useQuestion(search);
  const overview = useOverview(question);
  const everywhere = useEverywhere(search.group, onEverywhere);
  const file = useExport(question);
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
              reading={{ isBusy: overview.isForcing, run: overview.force, failure: overview.refusal }}
              file={file}
              onChange={show}
            />
            {data && <Failures read={data} search={search} onChange={show} />}
            <ListCount at={data && overview.fulfilledTimeStamp}>
              {data && spellTotals(data.total, data.updates_total)}
              {data && <Age read={data} />}
            </ListCount>
          </>
        }
      >
        <Listed
          overview={overview}
          search={search}
          asking={everywhere.asking}
          refused={everywhere.refused}
          Update={Update}
          onEverywhere={everywhere.find}
          onChange={show}
        />
      </ListFrame>
      {/* The profile takes its place while it is open. */}
      {search.sites !== undefined && search.panel === undefined && (
        <PluginPanel
          key={search.sites}
          slug={search.sites}
          search={search}
          Update={Update}
          onChange={show}
          onClose={() => show(panelOf(undefined))}
        />
      )}
    </div>
  );
}
