import { Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteZone } from '@vigie/contracts/dns-mapping';
import { Link2, Unlink } from 'lucide-react';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListScreen } from '../../kit/list/ListScreen';
import { RetryButton } from '../../ui/RetryButton';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { TimeAgo } from '../../ui/TimeAgo';
import { Lines } from '../../ui/Lines';
import styles from './dns.module.css';
import { LinkForm } from './LinkForm';
import { Suggestions } from './Suggestions';
import type { Change, ZonesSearch } from './search';
import { useLinkOptions } from './useLinkOptions';
import { type Linking, useLinking } from './useLinking';
import { ZoneLink } from './ZoneLink';
import { zonesApi } from './zones.api';

const loadFailed = 'Failed to load site zones';
const pageSize = 50;

type Props = { search: ZonesSearch; show: Change };

function LinkedSiteLine({ link, linking }: { link: SiteZone; linking: Linking }) {
  const name = link.site_name ?? 'Site dont le nom n’a pas pu être lu';
  return link.zone_mappings.map((mapping) => (
    <Group component="li" key={mapping.zone_id} justify="space-between" gap="8px 16px" p="10px 16px">
      <Box flex="1 1 240px" miw={0}>
        <p>
          <Link to="/sites/$siteId" params={{ siteId: link.site_id }} className={styles['name'] ?? ''}>
            {name}
          </Link>
          {' → '}
          <ZoneLink zoneId={mapping.zone_ref} className={styles['link']}>
            {mapping.zone_name}
          </ZoneLink>
        </p>
        <Text variant="note">
          {'Lié '}
          <TimeAgo at={mapping.linked_at} />
          {mapping.auto_sync ? ' · Synchronisation automatique' : ' · Sans synchronisation automatique'}
        </Text>
      </Box>
      <Button
        variant="default"
        leftSection={<Unlink size={16} aria-hidden />}
        aria-label={`Délier ${name} de ${mapping.zone_name}`}
        loading={linking.busySiteId === link.site_id}
        onClick={() => void linking.unlink(link)}
      >
        Délier
      </Button>
    </Group>
  ));
}

const NoLinks = () => (
  <EmptyState icon={Link2} title="Aucun site n’est lié à une zone.">
    <p>Un site lié à sa zone montre si ses enregistrements pointent bien vers son serveur.</p>
  </EmptyState>
);

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

export function MappingTab({ search: { q, page }, show }: Props) {
  const answer = useLinks({ q, page });
  const { data } = answer;
  const linking = useLinking();
  const isSearchable = q !== undefined || (data?.total ?? 0) > pageSize;
  const setQuery = (text: string) => show({ q: text || undefined, page: undefined });
  const tools = (
    <>
      <h2>Sites liés à leur zone</h2>
      {isSearchable && (
        <Box maw={360}>
          <SearchField label="Rechercher un site lié" value={q ?? ''} onChange={setQuery} />
        </Box>
      )}
    </>
  );
  return (
    <>
      {data && <LinkSection linking={linking} />}
      <ListScreen
        answer={answer}
        tools={tools}
        page={page}
        pageSize={pageSize}
        onPage={(next) => show({ page: next })}
        noMatch={
          q !== undefined && {
            title: 'Aucun site lié ne correspond.',
            label: 'Effacer la recherche',
            onClear: () => setQuery(''),
          }
        }
        empty={<NoLinks />}
      >
        {({ site_zones: siteZones }) => (
          <Lines aria-label="Sites liés">
            {siteZones.map((link) => (
              <LinkedSiteLine key={link.site_id} link={link} linking={linking} />
            ))}
          </Lines>
        )}
      </ListScreen>
    </>
  );
}
