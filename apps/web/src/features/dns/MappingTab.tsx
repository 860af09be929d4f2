import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteZone } from '@vigie/contracts/dns-mapping';
import { Link2, SearchX, Unlink } from 'lucide-react';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListFrame } from '../../ui/ListFrame';
import { Pager } from '../../ui/Pager';
import { RetryButton } from '../../ui/RetryButton';
import { SearchField } from '../../ui/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { shownPage } from '../../ui/shownPage';
import { usePages } from '../../ui/usePages';
import { When } from '../../ui/When';
import { useSettled } from '../../ui/useSettled';
import { LinkForm } from './LinkForm';
import styles from './MappingTab.module.css';
import { Suggestions } from './Suggestions';
import type { Change, ZonesSearch } from './search';
import { useFree } from './useFree';
import { type Linking, useLinking } from './useLinking';
import { ZoneLink } from './ZoneLink';
import { type SiteZonesPage, zonesApi } from './zones.api';

const failed = 'Failed to load site zones';
const size = 50;

type Props = { search: ZonesSearch; show: Change };

function Line({ link, linking }: { link: SiteZone; linking: Linking }) {
  const name = link.site_name ?? 'Site dont le nom n’a pas pu être lu';
  return link.zone_mappings.map((mapping) => (
    <li key={mapping.zone_id} className={styles['line']}>
      <div className={styles['pair']}>
        <p>
          <Link to="/sites/$siteId" params={{ siteId: link.site_id }} className={styles['name'] ?? ''}>
            {name}
          </Link>
          {' → '}
          <ZoneLink zone={mapping.zone_ref} className={styles['zone']}>
            {mapping.zone_name}
          </ZoneLink>
        </p>
        <p className={styles['about']}>
          {'Lié '}
          <When at={mapping.linked_at} />
          {mapping.auto_sync ? ' · Synchronisation automatique' : ' · Sans synchronisation automatique'}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<Unlink size={16} aria-hidden />}
        aria-label={`Délier ${name} de ${mapping.zone_name}`}
        loading={linking.busy === link.site_id}
        onClick={() => void linking.unlink(link)}
      >
        Délier
      </Button>
    </li>
  ));
}

type ListProps = Props & { page: SiteZonesPage | undefined; goTo: (page: number) => void; linking: Linking };

function Linked({ page: shown, goTo, linking, search, show }: ListProps) {
  if (!shown) return <Skeleton rows={4} />;
  if (shown.site_zones.length === 0 && search.q !== undefined) {
    return (
      <EmptyState
        icon={SearchX}
        title="Aucun site lié ne correspond."
        actions={
          <Button variant="default" onClick={() => show({ q: undefined, page: undefined })}>
            Effacer la recherche
          </Button>
        }
      />
    );
  }
  if (shown.site_zones.length === 0) {
    return (
      <EmptyState icon={Link2} title="Aucun site n’est lié à une zone.">
        <p>Un site lié à sa zone montre si ses enregistrements pointent bien vers son serveur.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="Sites liés" className={styles['list']}>
        {shown.site_zones.map((link) => (
          <Line key={link.site_id} link={link} linking={linking} />
        ))}
      </ul>
      <Pager page={search.page ?? 1} size={size} total={shown.total} onChange={goTo} />
    </>
  );
}

function useLinks({ q = '', page = 1 }: ZonesSearch) {
  const asked = { q: useSettled(q), limit: size, offset: (page - 1) * size };
  return useListed(zonesApi.useSiteZonesQuery(asked, { refetchOnMountOrArgChange: true }), failed);
}

/** Both are there before one of them is chosen. */
function Free({ linking }: { linking: Linking }) {
  const { sites, zones, isKnown, failure, refetch } = useFree();
  const suggested = zonesApi.useSuggestionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Failure sentence={failure || undefined}>
        <RetryButton onRetry={refetch} />
      </Failure>
      {suggested.data && <Suggestions found={suggested.data} linking={linking} />}
      {/* Not before what stands above it: it would be pushed from under the pointer. */}
      {isKnown && !suggested.isLoading && <LinkForm sites={sites} zones={zones} linking={linking} />}
    </>
  );
}

export function MappingTab({ search, show }: Props) {
  const answer = useLinks(search);
  const { data, currentData } = answer;
  const linking = useLinking();
  const goTo = usePages({ page: search.page, size, total: currentData?.total }, (next) => show({ page: next }));
  const isLong = search.q !== undefined || (data?.total ?? 0) > size;
  return (
    <>
      {data && <Free linking={linking} />}
      <ListFrame
        answer={answer}
        tools={
          <>
            <h2>Sites liés à leur zone</h2>
            {isLong && (
              <SearchField
                label="Rechercher un site lié"
                className={styles['search']}
                value={search.q ?? ''}
                onChange={(q) => show({ q: q || undefined, page: undefined })}
              />
            )}
          </>
        }
      >
        <Linked page={shownPage(answer)} goTo={goTo} linking={linking} search={search} show={show} />
      </ListFrame>
    </>
  );
}
