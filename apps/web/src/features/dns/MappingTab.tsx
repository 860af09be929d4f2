import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteZone } from '@vigie/contracts/dns-mapping';
import { Link2, SearchX, Unlink } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListFrame } from '../../kit/list/ListFrame';
import { Pager } from '../../kit/list/Pager';
import { RetryButton } from '../../ui/RetryButton';
import { SearchField } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/pageToShow';
import { usePages } from '../../kit/list/usePages';
import { TimeAgo } from '../../ui/TimeAgo';
import { useDebouncedSearch } from '../../kit/list/useDebouncedSearch';
import { LinkForm } from './LinkForm';
import styles from './MappingTab.module.css';
import { Suggestions } from './Suggestions';
import type { Change, ZonesSearch } from './search';
import { useLinkOptions } from './useLinkOptions';
import { type Linking, useLinking } from './useLinking';
import { ZoneLink } from './ZoneLink';
import { type SiteZonesPage, zonesApi } from './zones.api';

const loadFailed = 'Failed to load site zones';
const pageSize = 50;

type Props = { search: ZonesSearch; show: Change };

function LinkedSiteLine({ link, linking }: { link: SiteZone; linking: Linking }) {
  const name = link.site_name ?? 'Site dont le nom n’a pas pu être lu';
  return link.zone_mappings.map((mapping) => (
    <li key={mapping.zone_id} className={styles['line']}>
      <div className={styles['pair']}>
        <p>
          <Link to="/sites/$siteId" params={{ siteId: link.site_id }} className={styles['name'] ?? ''}>
            {name}
          </Link>
          {' → '}
          <ZoneLink zoneId={mapping.zone_ref} className={styles['zone']}>
            {mapping.zone_name}
          </ZoneLink>
        </p>
        <p className={styles['about']}>
          {'Lié '}
          <TimeAgo at={mapping.linked_at} />
          {mapping.auto_sync ? ' · Synchronisation automatique' : ' · Sans synchronisation automatique'}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<Unlink size={16} aria-hidden />}
        aria-label={`Délier ${name} de ${mapping.zone_name}`}
        loading={linking.busySiteId === link.site_id}
        onClick={() => void linking.unlink(link)}
      >
        Délier
      </Button>
    </li>
  ));
}

type ListProps = Props & { page: SiteZonesPage | undefined; goTo: (page: number) => void; linking: Linking };

function LinkedSites({ page: links, goTo, linking, search, show }: ListProps) {
  if (!links) return <Skeleton rows={4} />;
  if (links.site_zones.length === 0 && search.q !== undefined) {
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
  if (links.site_zones.length === 0) {
    return (
      <EmptyState icon={Link2} title="Aucun site n’est lié à une zone.">
        <p>Un site lié à sa zone montre si ses enregistrements pointent bien vers son serveur.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="Sites liés" className={styles['list']}>
        {links.site_zones.map((link) => (
          <LinkedSiteLine key={link.site_id} link={link} linking={linking} />
        ))}
      </ul>
      <Pager page={search.page ?? 1} size={pageSize} total={links.total} onChange={goTo} />
    </>
  );
}

function useLinks({ q = '', page = 1 }: ZonesSearch) {
  const params = { q: useDebouncedSearch(q), limit: pageSize, offset: (page - 1) * pageSize };
  return useListQuery(zonesApi.useSiteZonesQuery(params, { refetchOnMountOrArgChange: true }), loadFailed);
}

/** Waits for both lists, since a link needs a site and a zone. */
function LinkSection({ linking }: { linking: Linking }) {
  const { sites, zones, isLoaded, failure, refetch } = useLinkOptions();
  const suggestions = zonesApi.useSuggestionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Failure sentence={failure || undefined}>
        <RetryButton onRetry={refetch} />
      </Failure>
      {suggestions.data && <Suggestions answer={suggestions.data} linking={linking} />}
      {/* Waits for the suggestions above, which would push the form down under the pointer. */}
      {isLoaded && !suggestions.isLoading && <LinkForm sites={sites} zones={zones} linking={linking} />}
    </>
  );
}

export function MappingTab({ search, show }: Props) {
  const answer = useLinks(search);
  const { data, currentData } = answer;
  const linking = useLinking();
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (next) =>
    show({ page: next }),
  );
  const isSearchable = search.q !== undefined || (data?.total ?? 0) > pageSize;
  return (
    <>
      {data && <LinkSection linking={linking} />}
      <ListFrame
        answer={answer}
        tools={
          <>
            <h2>Sites liés à leur zone</h2>
            {isSearchable && (
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
        <LinkedSites page={pageToShow(answer)} goTo={goTo} linking={linking} search={search} show={show} />
      </ListFrame>
    </>
  );
}
