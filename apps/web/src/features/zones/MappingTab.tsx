import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { SiteZone } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import type { SiteItem } from '@vigie/contracts/sites';
import { Link2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { useSiteSearch } from '../../app/sites';
import { useListed } from '../../app/useListed';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ListFrame } from '../../ui/ListFrame';
import { SearchField } from '../../ui/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { When } from '../../ui/When';
import { LinkForm } from './LinkForm';
import styles from './MappingTab.module.css';
import { suggestLinks } from './suggestions';
import { type Linking, useLinking } from './useLinking';
import { refusalOf } from './words';
import { ZoneLink } from './ZoneLink';
import { zonesApi } from './zones.api';

const failed = 'Failed to load site zones';
/** As many of each as one answer carries. */
const most = 500;
const typingMs = 250;
const noSites: readonly SiteItem[] = [];
const noZones: readonly DnsZone[] = [];

const freeOf = (zones: readonly DnsZone[]) => [
  ...new Map(zones.filter(({ has_mappings: isUsed }) => !isUsed).map((zone) => [zone.id, zone])).values(),
];

type Free = { sites: readonly SiteItem[]; zones: readonly DnsZone[] };

/** Only unlinked sites and unused zones are offered. */
function useFree(linked: readonly SiteZone[]) {
  const [q, setQuery] = useState('');
  const [typed] = useDebouncedValue(q, typingMs);
  const sites = useSiteSearch(typed, 1, most);
  const zones = zonesApi.useZonesQuery({ unlinked: '1', limit: most }, { refetchOnMountOrArgChange: true });
  const taken = new Set(linked.map(({ site_id: id }) => id));
  return {
    // Beyond what one answer carries, a search finds the others.
    search: q !== '' || (sites.data?.total ?? 0) > most ? { q, setQuery } : undefined,
    sites: sites.data?.items.filter(({ id }) => !taken.has(id)) ?? noSites,
    // One that several logins see is linked by that of the site's owner.
    zones: zones.data ? freeOf(zones.data.zones) : noZones,
    isLoading: sites.isLoading || zones.isLoading,
    failure: zones.error
      ? refusalOf(zones.error, 'Failed to load zones')
      : sites.error && refusalOf(sites.error, 'Impossible de charger les sites.'),
    refetch: () => {
      void sites.refetch();
      void zones.refetch();
    },
  };
}

function Suggestions({ sites, zones, linking }: Free & { linking: Linking }) {
  const found = suggestLinks(sites, zones);
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="suggested" className={styles['card']}>
      <h2 id="suggested">Suggestions</h2>
      <p className={styles['about']}>D’après le nom d’hôte de vos sites.</p>
      <ul>
        {found.map(({ site, zone }) => (
          <li key={zone.id} className={styles['line']}>
            <p className={styles['pair']}>
              <strong>{site.name}</strong>
              <span className={styles['about']}>{` ${site.url} → `}</span>
              <strong>{zone.display_name}</strong>
            </p>
            <Button
              variant="default"
              leftSection={<Link2 size={16} aria-hidden />}
              aria-label={`Lier ${site.name} à ${zone.display_name}`}
              loading={linking.busy === site.id}
              onClick={() => void linking.link({ site, zone })}
            >
              Lier
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

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

const Linked = ({ links, linking }: { links: readonly SiteZone[]; linking: Linking }) =>
  links.length === 0 ? (
    <EmptyState icon={Link2} title="Aucun site n’est lié à une zone.">
      <p>Un site lié à sa zone montre si ses enregistrements pointent bien vers son serveur.</p>
    </EmptyState>
  ) : (
    <ul aria-label="Sites liés" className={styles['list']}>
      {links.map((link) => (
        <Line key={link.site_id} link={link} linking={linking} />
      ))}
    </ul>
  );

export function MappingTab() {
  const answer = useListed(zonesApi.useSiteZonesQuery(undefined, { refetchOnMountOrArgChange: true }), failed);
  const { data } = answer;
  const linking = useLinking();
  const { failure, isLoading, search, refetch, ...free } = useFree(data ?? []);
  return (
    <>
      {data && (
        <>
          <Failure sentence={failure || undefined}>
            <Button variant="default" onClick={refetch}>
              Réessayer
            </Button>
          </Failure>
          {!isLoading && !failure && (
            <>
              {search && (
                <SearchField
                  label="Chercher parmi tous les sites"
                  className={styles['search']}
                  value={search.q}
                  onChange={search.setQuery}
                />
              )}
              <Suggestions {...free} linking={linking} />
              <LinkForm {...free} linking={linking} />
            </>
          )}
        </>
      )}
      <ListFrame answer={answer} tools={<h2>Sites liés à leur zone</h2>}>
        {data ? <Linked links={data} linking={linking} /> : <Skeleton rows={4} />}
      </ListFrame>
    </>
  );
}
