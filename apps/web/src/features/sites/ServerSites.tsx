import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { spellUpdates } from '@vigie/contracts/site-words';
import type { SiteItem } from '@vigie/contracts/sites';
import { FolderSearch } from 'lucide-react';
import { siteCalls } from '../../kit/fleet/sites';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { Widget } from '../../ui/Widget';
import { HttpBadge, SiteLink } from './SiteCells';
import { countUpdates } from './words';

const maxSites = 20;
const pollMs = 60_000;

function useServerSites(serverId: string) {
  const params = { server_id: serverId, sort: 'name' as const, limit: maxSites, offset: 0 };
  const pollingInterval = usePollInterval(siteCalls.endpoints.sites.useQueryState(params), pollMs);
  return siteCalls.useSitesQuery(params, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}

function updatesOf(site: SiteItem): string {
  const count = countUpdates(site);
  if (count === null) return 'pas encore lu';
  return count === 0 ? 'à jour' : plural(count, 'mise à jour', 'mises à jour');
}

const SiteLine = ({ site }: { site: SiteItem }) => (
  <Group component="li" gap="2px 12px" mih={44} p="6px var(--gutter)">
    <Text span flex={1} miw={120}>
      <SiteLink site={site} />
    </Text>
    <Text span c="muted" fz={13} title={spellUpdates(site.updates)}>
      {updatesOf(site)}
    </Text>
    <HttpBadge http={site.http} />
  </Group>
);

/** The first sites of a server, and the way to all of them. */
export function ServerSites({ serverId }: { serverId: string }) {
  const answer = useServerSites(serverId);
  const { currentData: data, error } = answer;
  const total = data?.total ?? 0;
  return (
    <Widget
      id="server-sites"
      title="Sites"
      answer={{ ...answer, data }}
      sentence={failureMessage(error, 'Impossible de charger les sites.')}
      tools={
        total > 0 && (
          <Link to="/sites" search={{ server: serverId }} className={links['inline'] ?? ''}>
            {total > maxSites ? `Voir les ${plural(total, 'site', 'sites')}` : plural(total, 'site', 'sites')}
          </Link>
        )
      }
    >
      {data && total === 0 && (
        <EmptyState icon={FolderSearch} title="Aucun site sur ce serveur.">
          <p>Découvrez ceux qui s’y trouvent, ou ajoutez-les un à un depuis Sites.</p>
        </EmptyState>
      )}
      {data && total > 0 && (
        <Lines>
          {data.items.map((site) => (
            <SiteLine key={site.id} site={site} />
          ))}
        </Lines>
      )}
    </Widget>
  );
}
