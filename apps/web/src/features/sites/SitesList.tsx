import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { maxSites } from '@vigie/contracts/site-batches';
import { PanelsTopLeft, Plus, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTests } from '../../app/useTests';
import { ClearFilters } from '../../ui/ClearFilters';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import { Pager } from '../../ui/Pager';
import { plural, spellTests } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { usePages } from '../../ui/usePages';
import { useNarrow } from '../../ui/useNarrow';
import { useSelection } from '../../ui/useSelection';
import { type Acts, Selected } from './Selected';
import { SiteCards } from './SiteCards';
import { type ListProps, SitesTable } from './SitesTable';
import { SitesToolbar } from './SitesToolbar';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { looksApi, type Page } from './sites.api';
import { isLong, noParts, useSites, useWhich } from './useSites';

type Props = Pick<ListProps, 'search' | 'deeds' | 'onChange'> & { onAdd: () => void };

function Nothing({ search, onChange, onAdd }: Props) {
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
          'Ajoutez un site WordPress\u00a0: Vigie lit ses versions et ses mises à jour par SSH, sans rien y installer. Sur un serveur déjà ajouté, elle trouve elle-même les sites qui s’y trouvent.'
        }
      </p>
    </EmptyState>
  );
}

type ShownProps = Props &
  Omit<ListProps, keyof Props> & {
    page: Page | undefined;
    isNarrow: boolean;
    size: number;
    goTo: (page: number) => void;
  };

function Shown({ page, isNarrow, size, goTo, onAdd, ...rest }: ShownProps) {
  const { search, onChange } = rest;
  const Shape = isNarrow ? SiteCards : SitesTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.total === 0) return <Nothing {...rest} onAdd={onAdd} />;
  return (
    <>
      <Shape {...rest} onChange={onChange} />
      <Pager page={search.page ?? 1} size={size} total={page.total} onChange={goTo} />
    </>
  );
}

/** All there are, or what a filter has left on the page. */
const whichTests = (search: SitesSearch, shown: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && shown.length > 0
    ? { label: spellTests(Math.min(shown.length, maxSites), 'site'), run: () => run(shown.slice(0, maxSites)) }
    : { label: 'Tester tout', run: () => run() };

type ListedProps = Props & Acts & { views: ReactNode; round: number };

/** `round`: another one each time that something was done to many of them. */
export function SitesList({ onUpdate, onBatch, views, round, ...props }: ListedProps) {
  const { search, onChange } = props;
  const { page: number = 1, size = 50 } = search;
  const isNarrow = useNarrow();
  const which = useWhich(search);
  const [parts, setParts] = useState(noParts);
  const { answer, count, rowAt, ids = [] } = useSites(which, { page: number, size }, parts);
  const { data, currentData, isAsking, refresh } = answer;
  const { sort: _, ...filters } = which;
  const selection = useSelection(ids, { of: JSON.stringify([round, filters]), most: maxSites });
  const tests = useTests(looksApi.useTestSitesMutation());
  const goTo = usePages({ page: search.page, size, total: currentData?.total }, (next) => onChange({ page: next }));
  const page = shownPage(answer);
  const isFirst = page?.total === 0 && !isFiltered(search);
  const listed = { count, rowAt, selection, total: data?.total ?? 0, start: (number - 1) * size, isLong: isLong(size) };
  return (
    <>
      <ListFrame
        answer={answer}
        tools={
          !isFirst && (
            <>
              <SitesToolbar
                search={search}
                withSort={isNarrow}
                list={{ isBusy: isAsking, run: refresh }}
                tests={{ ...tests, ...whichTests(search, ids, tests.run) }}
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
        <Shown {...props} {...listed} page={page} size={size} isNarrow={isNarrow} goTo={goTo} onParts={setParts} />
      </ListFrame>
      <Selected {...{ selection, which, onUpdate, onBatch }} total={data?.total ?? 0} />
    </>
  );
}
