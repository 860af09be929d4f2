import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { maxSites } from '@vigie/contracts/site-batches';
import { PanelsTopLeft, Plus, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTests } from '../../kit/job/useTests';
import { ClearFilters } from '../../kit/list/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../kit/list/ListFrame';
import { Pager } from '../../kit/list/Pager';
import { plural, testLabel } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { usePages } from '../../kit/list/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../kit/list/useSelection';
import { type BulkActions, SelectedSites } from './SelectedSites';
import { SiteCards } from './SiteCards';
import { type ListProps, SitesTable } from './SitesTable';
import { SitesToolbar } from './SitesToolbar';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { checksApi, type Page } from './sites.api';
import { isLong, noParts, useSites, useSitesFilter } from './useSites';

type Props = Pick<ListProps, 'search' | 'actions' | 'onChange'> & { onAdd: () => void };

function EmptySites({ search, onChange, onAdd }: Props) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun site ne correspond."
        actions={<ClearFilters onClear={() => onChange(unfiltered)} />}
      />
    );
  }
  return (
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
}

type SitesOfPageProps = Props &
  Omit<ListProps, keyof Props> & {
    page: Page | undefined;
    isNarrow: boolean;
    size: number;
    goTo: (page: number) => void;
  };

function SitesOfPage({ page, isNarrow, size, goTo, onAdd, ...rest }: SitesOfPageProps) {
  const { search, onChange } = rest;
  const Layout = isNarrow ? SiteCards : SitesTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.total === 0) return <EmptySites {...rest} onAdd={onAdd} />;
  return (
    <>
      <Layout {...rest} onChange={onChange} />
      <Pager page={search.page ?? 1} size={size} total={page.total} onChange={goTo} />
    </>
  );
}

/** Tests all sites, or those of the page while a filter is on. */
const testButton = (search: SitesSearch, siteIds: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && siteIds.length > 0
    ? { label: testLabel(Math.min(siteIds.length, maxSites), 'site'), run: () => run(siteIds.slice(0, maxSites)) }
    : { label: 'Tester tout', run: () => run() };

type SitesListProps = Props & BulkActions & { views: ReactNode; selectionKey: number };

/** `round` changes after each bulk action, which clears the selection. */
export function SitesList({ onUpdate, onBatch, views, selectionKey, ...props }: SitesListProps) {
  const { search, onChange } = props;
  const { page: pageNumber = 1, size = 50 } = search;
  const isNarrow = useNarrow();
  const filter = useSitesFilter(search);
  const [parts, setParts] = useState(noParts);
  const { answer, count, rowAt, ids = [] } = useSites(filter, { page: pageNumber, size }, parts);
  const { data, currentData, isRefreshing, refresh } = answer;
  const { sort: _, ...filters } = filter;
  const selection = useSelection(ids, { query: JSON.stringify([selectionKey, filters]), max: maxSites });
  const tests = useTests(checksApi.useTestSitesMutation());
  const goTo = usePages({ page: search.page, size, total: currentData?.total }, (next) => onChange({ page: next }));
  const page = pageToShow(answer);
  const hasNoSites = page?.total === 0 && !isFiltered(search);
  const listProps = {
    count,
    rowAt,
    selection,
    total: data?.total ?? 0,
    start: (pageNumber - 1) * size,
    isLong: isLong(size),
  };
  return (
    <>
      <ListFrame
        answer={answer}
        tools={
          !hasNoSites && (
            <>
              <SitesToolbar
                search={search}
                withSort={isNarrow}
                list={{ isBusy: isRefreshing, run: refresh }}
                tests={{ ...tests, ...testButton(search, ids, tests.run) }}
                views={views}
                onChange={onChange}
              />
              <ListCount at={data && answer.fulfilledTimeStamp}>
                {data && plural(data.total, 'site', 'sites')}
              </ListCount>
            </>
          )
        }
      >
        <SitesOfPage
          {...props}
          {...listProps}
          page={page}
          size={size}
          isNarrow={isNarrow}
          goTo={goTo}
          onParts={setParts}
        />
      </ListFrame>
      <SelectedSites {...{ selection, filter, onUpdate, onBatch }} total={data?.total ?? 0} />
    </>
  );
}
