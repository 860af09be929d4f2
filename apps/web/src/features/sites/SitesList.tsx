import { Button } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { ArrowUpCircle, PanelsTopLeft, Plus, SearchX } from 'lucide-react';
import { useBatch } from '../../app/useBatch';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { ListCount, ListFrame } from '../../ui/ListFrame';
import { Pager } from '../../ui/Pager';
import { plural } from '../../ui/plural';
import { SelectionBar } from '../../ui/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { useExistingPage } from '../../ui/useExistingPage';
import { useSelection } from '../../ui/useSelection';
import { SiteCards } from './SiteCards';
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
  return useListed(answer, failed);
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

type ChosenProps = Pick<ListProps, 'selection'> & {
  tests: ReturnType<typeof useBatch>;
  onUpdate: (ids: readonly string[]) => void;
};

function Chosen({ selection: { ids, chooseAll }, tests, onUpdate }: ChosenProps) {
  if (ids.length === 0) return null;
  return (
    <SelectionBar
      count={plural(ids.length, 'site sélectionné', 'sites sélectionnés')}
      tests={{ isBusy: tests.isBusy, run: () => tests.run(ids) }}
      onClear={() => chooseAll(false)}
    >
      <Button leftSection={<ArrowUpCircle size={16} aria-hidden />} onClick={() => onUpdate(ids)}>
        Mettre à jour…
      </Button>
    </SelectionBar>
  );
}

type ListedProps = Props & Pick<ChosenProps, 'onUpdate'>;

export function SitesList({ onUpdate, ...props }: ListedProps) {
  const { search, onChange } = props;
  const isNarrow = useMediaQuery('(width < 900px)', undefined, { getInitialValueInEffect: false });
  const answer = useSites(search);
  const { data, currentData, isAsking, refresh } = answer;
  const shown = data?.items.map(({ id }) => id) ?? [];
  const selection = useSelection(shown);
  const tests = useBatch(looksApi.useTestSitesMutation());
  const goTo = (next: number) => onChange({ page: next > 1 ? next : undefined });
  useExistingPage(search.page ?? 1, currentData && Math.max(1, Math.ceil(currentData.total / size)), goTo);
  const page = shownPage(answer);
  const isFirst = page?.total === 0 && !isFiltered(search);
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
                tests={{ isBusy: tests.isBusy, ...whichTests(search, shown, tests.run) }}
                onChange={onChange}
              />
              <ListCount at={data && answer.fulfilledTimeStamp}>
                {data && plural(data.total, 'site', 'sites')}
              </ListCount>
            </>
          )
        }
      >
        <Shown {...props} page={page} isNarrow={isNarrow} goTo={goTo} selection={selection} />
      </ListFrame>
      <Chosen selection={selection} tests={tests} onUpdate={onUpdate} />
    </>
  );
}
