import { Button } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { CloudOff, PanelsTopLeft, Plus, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isApiError, sentenceOf } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { useBatch } from '../../app/useBatch';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Pager } from '../../ui/Pager';
import { plural } from '../../ui/plural';
import { SelectionBar } from '../../ui/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { useExistingPage } from '../../ui/useExistingPage';
import { useSelection } from '../../ui/useSelection';
import { When } from '../../ui/When';
import { SiteCards } from './SiteCards';
import styles from './SitesList.module.css';
import { type ListProps, SitesTable } from './SitesTable';
import { SitesToolbar } from './SitesToolbar';
import { isFiltered, type SitesSearch, unfiltered } from './search';
import { looksApi, type Page, sitesApi } from './sites.api';

const failed = 'Impossible de charger les sites.';
const size = 50;
const typingMs = 250;
const everyMs = 60_000;

function useSites({ q = '', group, server, status, sort = 'name', page = 1 }: SitesSearch) {
  const [typed] = useDebouncedValue(q, typingMs);
  const asked = {
    // What is taken away is not typed letter by letter.
    q: q === '' ? '' : typed,
    sort,
    limit: size,
    offset: (page - 1) * size,
    group_id: group,
    server_id: server,
    status,
  };
  const answer = sitesApi.useSitesQuery(asked, {
    pollingInterval: everyMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  });
  const { error, refetch } = answer;
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (error) tellFailure(error, failed);
  }, [error]);
  const refresh = async () => {
    setAsking(true);
    await refetch();
    setAsking(false);
  };
  const sentence = error && ((isApiError(error) && sentenceOf(error)) || failed);
  return { ...answer, sentence, isAsking, refresh: () => void refresh() };
}

type Props = Pick<ListProps, 'search' | 'deeds' | 'onChange'> & { onAdd: () => void };

function Nothing({ search, onChange, onAdd }: Props) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun site ne correspond."
        actions={
          <Button variant="default" onClick={() => onChange(unfiltered)}>
            Effacer les filtres
          </Button>
        }
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

const Count = ({ page, at = 0 }: { page: Page | undefined; at: number | undefined }) => (
  <div className={styles['count']}>
    <output>{page && plural(page.total, 'site', 'sites')}</output>
    {page && (
      <>
        {' · Actualisé '}
        <When at={new Date(at).toISOString()} often />
      </>
    )}
  </div>
);

type ShownProps = Props &
  Pick<ListProps, 'selection'> & { page: Page | undefined; isNarrow: boolean; goTo: (page: number) => void };

function Shown({ page, isNarrow, goTo, ...rest }: ShownProps) {
  const Shape = isNarrow ? SiteCards : SitesTable;
  if (!page) return <Skeleton rows={6} />;
  if (page.items.length === 0) return <Nothing {...rest} />;
  return (
    <>
      <Shape {...rest} sites={page.items} />
      <Pager page={rest.search.page ?? 1} size={size} total={page.total} onChange={goTo} />
    </>
  );
}

/** All there are, or what a filter has left on the page. */
const whichTests = (search: SitesSearch, shown: readonly string[], run: (ids?: readonly string[]) => void) =>
  isFiltered(search) && shown.length > 0
    ? { label: `Tester les ${shown.length} affichés`, run: () => run(shown) }
    : { label: 'Tester tout', run: () => run() };

export function SitesList(props: Props) {
  const { search, onChange } = props;
  const isNarrow = useMediaQuery('(width < 900px)', undefined, { getInitialValueInEffect: false });
  const { data, currentData, sentence, isFetching, isAsking, refresh, fulfilledTimeStamp } = useSites(search);
  const shown = data?.items.map(({ id }) => id) ?? [];
  const selection = useSelection(shown);
  const tests = useBatch(looksApi.useTestSitesMutation());
  const goTo = (next: number) => onChange({ page: next > 1 ? next : undefined });
  useExistingPage(search.page ?? 1, currentData && Math.max(1, Math.ceil(currentData.total / size)), goTo);
  const again = (
    <Button variant="default" loading={isFetching} onClick={refresh}>
      Réessayer
    </Button>
  );
  if (!data && sentence !== undefined) {
    return (
      <div className={styles['list']}>
        <EmptyState icon={CloudOff} title={sentence} actions={again} />
      </div>
    );
  }
  const page = shownPage({ data, currentData, isFetching });
  const isFirst = page?.total === 0 && !isFiltered(search);
  return (
    <>
      <Failure sentence={sentence}>{again}</Failure>
      {!isFirst && (
        <>
          <SitesToolbar
            search={search}
            withSort={isNarrow}
            list={{ isBusy: isAsking, run: refresh }}
            tests={{ isBusy: tests.isBusy, ...whichTests(search, shown, tests.run) }}
            onChange={onChange}
          />
          <Count page={data} at={fulfilledTimeStamp} />
        </>
      )}
      <div className={styles['list']}>
        <Shown {...props} page={page} isNarrow={isNarrow} goTo={goTo} selection={selection} />
      </div>
      {selection.ids.length > 0 && (
        <SelectionBar
          count={plural(selection.ids.length, 'site sélectionné', 'sites sélectionnés')}
          isBusy={tests.isBusy}
          onTest={() => tests.run(selection.ids)}
          onClear={() => selection.chooseAll(false)}
        />
      )}
    </>
  );
}
