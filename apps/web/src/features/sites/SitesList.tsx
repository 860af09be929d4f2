import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { maxSites } from '@vigie/contracts/site-batches';
import { PanelsTopLeft, Plus } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTests } from '../../kit/job/useBatch';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { plural, testLabel } from '../../ui/plural';
import { pageToShow } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../kit/list/useSelection';
import { type BulkActions, SelectedSites } from './SelectedSites';
import { type ListProps, SitesTable } from './SitesTable';
import { SitesToolbar } from './SitesToolbar';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { sitesApi } from './sites.api';
import { isLong, noParts, useSites, useSitesFilter, type VisibleParts } from './useSites';

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & { onAdd: () => void };

const NoSites = ({ onAdd }: Pick<Props, 'onAdd'>) => (
  <EmptyState
    icon={PanelsTopLeft}
    title="Aucun site pour l’instant."
    actions={
      <>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
          Nouveau site
        </Button>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/servers" search={{}} />}>
          Découvrir ceux d’un serveur
        </Button>
      </>
    }
  >
    <p>
      {
        'Ajoutez un site WordPress\u00a0: Vigie lit ses versions et ses mises à jour par SSH, sans rien y installer. Elle peut aussi trouver elle-même les sites d’un serveur déjà ajouté.'
      }
    </p>
  </EmptyState>
);

/** Tests all sites, or those of the page while a filter is on. */
const testButton = (search: SitesSearch, siteIds: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && siteIds.length > 0
    ? { label: testLabel(Math.min(siteIds.length, maxSites), 'site'), run: () => run(siteIds.slice(0, maxSites)) }
    : { label: 'Tester tout', run: () => run() };

function useSiteTests(search: SitesSearch, siteIds: readonly string[]) {
  const tests = useTests(sitesApi.useTestSitesMutation());
  return { ...tests, ...testButton(search, siteIds, tests.run) };
}

/** Scrolling reports the same parts again and again. */
function useParts() {
  const [parts, setParts] = useState(noParts);
  const change = (next: VisibleParts) =>
    setParts((current) =>
      current.first === next.first && current.last === next.last && current.focused === next.focused ? current : next,
    );
  return [parts, change] as const;
}

type SitesListProps = Props & BulkActions & { views: ReactNode; selectionKey: number };

/** `selectionKey` changes after each bulk action, which clears the selection. */
export function SitesList({ onUpdate, onBatch, onAdd, views, selectionKey, ...props }: SitesListProps) {
  const { search, onChange } = props;
  const { page: pageNumber = 1, size = 50 } = search;
  const isNarrow = useNarrow();
  const filter = useSitesFilter(search);
  const [parts, setParts] = useParts();
  const { answer, count, rowAt, ids = [] } = useSites(filter, { page: pageNumber, size }, parts);
  const { sort: _, ...filters } = filter;
  const selection = useSelection(ids, { query: JSON.stringify([selectionKey, filters]), max: maxSites });
  const tests = useSiteTests(search, ids);
  const hasNoSites = pageToShow(answer)?.total === 0 && !isFiltered(search);
  const total = answer.data?.total ?? 0;
  return (
    <>
      <ListScreen
        answer={answer}
        tools={!hasNoSites && <Tools {...{ search, onChange, views, answer, tests }} withSort={isNarrow} />}
        page={search.page}
        pageSize={size}
        onPage={(page) => onChange({ page })}
        noMatch={isFiltered(search) && { title: 'Aucun site ne correspond.', onClear: () => onChange(unfiltered) }}
        empty={<NoSites onAdd={onAdd} />}
      >
        {() => (
          <SitesTable
            {...props}
            {...{ count, rowAt, selection, total }}
            start={(pageNumber - 1) * size}
            isLong={isLong(size)}
            onParts={setParts}
          />
        )}
      </ListScreen>
      <SelectedSites {...{ selection, filter, total, onUpdate, onBatch }} />
    </>
  );
}

type ToolsProps = Omit<ComponentProps<typeof SitesToolbar>, 'list'> & { answer: ReturnType<typeof useSites>['answer'] };

function Tools({ answer, ...toolbar }: ToolsProps) {
  const { data, isRefreshing: isBusy, refresh: run, fulfilledTimeStamp } = answer;
  return (
    <>
      <SitesToolbar {...toolbar} list={{ isBusy, run }} />
      <ListCount at={data && fulfilledTimeStamp}>{data && plural(data.total, 'site', 'sites')}</ListCount>
    </>
  );
}
