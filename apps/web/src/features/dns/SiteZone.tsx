import { Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { Globe } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { ReadFailed } from '../../ui/ReadFailed';
import { SectionCard } from '../../ui/SectionCard';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './dns.module.css';
import { hostOf, ofHost } from './host-records';
import { pointsTo } from './points';
import { recordsApi } from './records.api';
import { spellProxied } from './words';
import { zonesApi } from './zones.api';
import { failureReason } from '../../kit/query/failures';

const options = { refetchOnMountOrArgChange: true };
/** More records than one name ever has. */
const maxRecords = 100;

/** The zone that a site is linked to, and what it says of the site's name. */
export function SiteZone({ site }: { site: Site }) {
  const { currentData, error, isFetching, refetch } = zonesApi.useSiteZonesQuery(
    { site_id: site.id, limit: 1 },
    options,
  );
  if (!currentData) {
    return (
      <PendingCard
        failure="Failed to load site zones"
        error={error}
        isFetching={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const mapping = currentData.site_zones[0]?.zone_mappings[0];
  if (!mapping) return <NoZone />;
  return (
    <SectionCard title={mapping.zone_name} aside={<ZoneButton zoneId={mapping.zone_ref} />}>
      <Text variant="note">
        {'Lié '}
        <TimeAgo at={mapping.linked_at} />
        {mapping.auto_sync ? ' · Synchronisation automatique' : ' · Sans synchronisation automatique'}
      </Text>
      <HostRecords site={site} zoneId={mapping.zone_ref} />
    </SectionCard>
  );
}

const ZoneButton = ({ zoneId }: { zoneId: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link {...props} to="/cloudflare" search={{ tab: 'dns', zone: zoneId }} />}
  >
    Ouvrir la zone
  </Button>
);

const NoZone = () => (
  <Card>
    <EmptyState
      icon={Globe}
      title="Ce site n’est lié à aucune zone."
      actions={
        <Button renderRoot={(props) => <Link {...props} to="/cloudflare" search={{ tab: 'mapping' }} />}>
          Lier une zone
        </Button>
      }
    >
      <p>Un site lié à sa zone montre ici les enregistrements de son nom, et s’ils pointent vers son serveur.</p>
    </EmptyState>
  </Card>
);

function HostRecords({ site, zoneId }: { site: Site; zoneId: string }) {
  const host = hostOf(site.url);
  const query = { zone_id: zoneId, q: host.replace(/^www\./, ''), limit: maxRecords };
  const { currentData, error, refetch } = recordsApi.useRecordsQuery(query, options);
  const { effective, server_name: serverName } = site.connection.ssh;
  if (!currentData && error)
    return <ReadFailed sentence={failureReason(error, 'Failed to load records')} onRetry={refetch} />;
  if (!currentData) return <Skeleton rows={3} height={44} />;
  const records = currentData.records.filter((record) => ofHost(record, host));
  if (records.length === 0) return <p>{`Aucun enregistrement de cette zone ne porte le nom ${host}.`}</p>;
  return (
    <Lines isFramed aria-label={`Enregistrements de ${host}`}>
      {records.map((record) => (
        <Group key={record.id} component="li" gap="4px 16px" p="8px 12px">
          <Text fw={600} miw={64}>
            {record.type}
          </Text>
          <Box flex="1 1 240px" miw={0}>
            <Text c="muted" fz={13}>
              {record.name}
            </Text>
            <span className={`${styles['mono']} ${styles['content']}`}>{record.content}</span>
          </Box>
          {effective && pointsTo(record, effective.host, currentData.records) && (
            <Status tone="ok">{`pointe vers le serveur ${serverName ?? effective.host}`}</Status>
          )}
          <Text c="muted" fz={13}>
            {spellProxied(record)}
          </Text>
        </Group>
      ))}
    </Lines>
  );
}
