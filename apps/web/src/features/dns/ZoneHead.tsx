import { Box, Group, Text, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Drift } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Callout } from '../../ui/Callout';
import { Status } from '../../ui/Status';
import { NameServers } from './NameServers';
import type { Change } from './search';
import { stateOf, spellCounts } from './words';
import { ZoneActions } from './ZoneActions';
import { sentenceOf } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { TimeAgo } from '../../ui/TimeAgo';
import { historyApi } from './records.api';

type DriftNoteProps = { zoneId: string; drift: Drift; show: Change };

/** Reports changes made outside Vigie, until a user accepts them. */
function DriftNote({ zoneId, drift, show }: DriftNoteProps) {
  const [accept, { isLoading, error }] = historyApi.useAcceptDriftMutation();
  return (
    <Callout tone="warn">
      <p>
        {'Cette zone a été modifiée hors de Vigie (constaté '}
        <TimeAgo at={drift.at} />
        {`). Enregistrements\u00a0: ${spellCounts(drift)}.`}
      </p>
      <Failure sentence={sentenceOf(error)} />
      <Group gap={8} mt={8}>
        <Button
          variant="default"
          onClick={() => show({ side: 'history', snapshot: drift.snapshot_id }, { isStep: true })}
        >
          Voir les changements
        </Button>
        <Button
          variant="default"
          loading={isLoading}
          onClick={() => void accept({ zone_id: zoneId, snapshot_id: drift.snapshot_id })}
        >
          Ne plus signaler
        </Button>
      </Group>
    </Callout>
  );
}

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
