import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteZone, suggestLinks } from '@vigie/contracts/dns-mapping';
import { Link2, Unlink } from 'lucide-react';
import type { z } from 'zod';
import { ListScreen } from '../../kit/list/ListScreen';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { useListQuery } from '../../kit/list/useListQuery';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './dns.module.css';
import { LinkForm } from './LinkForm';
import type { Change, ZonesSearch } from './search';
import { type Linking, useLinking, useLinkOptions } from './useLinking';
import { ZoneLink } from './ZonesTable';
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
  const setQuery = (text: string) => show({ q: text || undefined, page: undefined });
  return (
    <>
      {data && <LinkSection linking={linking} />}
      <ListScreen
        answer={answer}
        tools={<Tools q={q} isLong={(data?.total ?? 0) > pageSize} onChange={setQuery} />}
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

function Tools({ q, isLong, onChange }: { q: string | undefined; isLong: boolean; onChange: (q: string) => void }) {
  return (
    <>
      <h2>Sites liés à leur zone</h2>
      {(q !== undefined || isLong) && (
        <Box maw={360}>
          <SearchField label="Rechercher un site lié" value={q ?? ''} onChange={onChange} />
        </Box>
      )}
    </>
  );
}

type SuggestionsAnswer = z.output<typeof suggestLinks.output>;

/** Suggests links by host name. When they cannot be loaded, the form below still works. */
function Suggestions({ answer, linking }: { answer: SuggestionsAnswer; linking: Linking }) {
  const { suggestions, total } = answer;
  if (suggestions.length === 0) return null;
  const others = total - suggestions.length;
  return (
    <Card component="section" aria-labelledby="suggested" p={16}>
      <Stack gap={8}>
        <h2 id="suggested">Suggestions</h2>
        <Text variant="note">D’après le nom d’hôte de vos sites.</Text>
        <Lines>
          {suggestions.map(({ site, zone }) => (
            <Group component="li" key={site.id} justify="space-between" gap="8px 16px" py={8}>
              <Box component="p" flex="1 1 240px" miw={0}>
                <strong>{site.name}</strong>
                <Text span c="muted" fz={13}>{` ${site.url} → `}</Text>
                <strong>{zone.display_name}</strong>
              </Box>
              <Button
                variant="default"
                leftSection={<Link2 size={16} aria-hidden />}
                aria-label={`Lier ${site.name} à ${zone.display_name}`}
                loading={linking.busySiteId === site.id}
                onClick={() => void linking.link({ site, zone })}
              >
                Lier
              </Button>
            </Group>
          ))}
        </Lines>
        {others > 0 && (
          <Text variant="note">{`Et ${plural(others, 'autre', 'autres')}, une fois celles-ci liées.`}</Text>
        )}
      </Stack>
    </Card>
  );
}
