import { Box, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Drift } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Callout } from '../../ui/Callout';
import { Status } from '../../ui/Status';
import { DriftNote } from './DriftNote';
import { NameServers } from './NameServers';
import type { Change } from './search';
import { stateOf } from './words';
import { ZoneActions } from './ZoneActions';

type Props = { zone: DnsZone; drift: Drift | null; show: Change; onImport: () => void };

const LinkedSite = ({ siteId, name }: { siteId: string; name: string | null }) => (
  <Text variant="note">
    {'Liée au site '}
    <Link to="/sites/$siteId" params={{ siteId }}>
      {name ?? 'de Vigie'}
    </Link>
  </Text>
);

export function ZoneHead({ zone, drift, show, onImport }: Props) {
  const { tone, word } = stateOf(zone);
  return (
    <>
      <Group component="header" gap="4px 16px">
        <Box component="h2" miw={0}>
          {zone.display_name}
        </Box>
        <Status tone={tone}>{word}</Status>
        {zone.config_name !== null && <Text variant="note">{`Par ${zone.config_name}`}</Text>}
        {zone.plan !== null && <Text variant="note">{zone.plan}</Text>}
        {zone.site_id !== null && <LinkedSite siteId={zone.site_id} name={zone.site_name} />}
        <ZoneActions zone={zone} show={show} onImport={onImport} />
      </Group>
      {zone.paused && (
        <Callout tone="warn">
          <p>
            {
              'Cette zone est en pause\u00a0: Cloudflare répond aux requêtes DNS, mais le trafic ne passe plus par son proxy.'
            }
          </p>
        </Callout>
      )}
      {zone.status === 'pending' && (
        <Box component="details" p="12px 16px" bdrs="sm" bg="var(--warn-tint)">
          <Box component="summary" mih={24} c="warn" fw={500}>
            Cette zone attend ses serveurs de noms&#160;: voir ce qu’il reste à faire
          </Box>
          <Box mt={12}>
            <NameServers zone={zone} />
          </Box>
        </Box>
      )}
      {drift && <DriftNote zoneId={zone.ref} drift={drift} show={show} />}
    </>
  );
}
