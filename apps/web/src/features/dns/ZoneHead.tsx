import { Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Drift } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Download, History, Stethoscope, Upload } from 'lucide-react';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { Status } from '../../ui/Status';
import { saveFile } from '../../ui/saveFile';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './dns.module.css';
import { NameServers } from './NameServers';
import { historyApi, recordsApi } from './records.api';
import type { Change } from './search';
import { spellCounts, stateOf } from './words';

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

/** Downloads the zone as a BIND file. */
function useExport(zoneId: string) {
  const [exportZone, { isLoading, error }] = recordsApi.useExportZoneMutation();
  const run = async () => {
    const { data } = await exportZone({ zone_id: zoneId });
    if (data) saveFile(data.filename, new Blob([data.content], { type: 'text/plain' }));
  };
  return { isBusy: isLoading, failure: sentenceOf(error), run: () => void run() };
}

type ZoneActionsProps = { zone: DnsZone; show: Change; onImport: () => void };

const icon = { size: 16, 'aria-hidden': true } as const;

function ZoneActions({ zone, show, onImport }: ZoneActionsProps) {
  const exporting = useExport(zone.ref);
  return (
    <div className={styles['zoneActions']}>
      <Button
        variant="subtle"
        leftSection={<History {...icon} />}
        onClick={() => show({ side: 'history', snapshot: undefined }, { isStep: true })}
      >
        Historique
      </Button>
      <Button
        variant="subtle"
        aria-label="Vérifier la zone"
        leftSection={<Stethoscope {...icon} />}
        onClick={() => show({ side: 'lint' }, { isStep: true })}
      >
        Vérifier
      </Button>
      <Button
        variant="subtle"
        aria-label="Importer un fichier de zone"
        leftSection={<Upload {...icon} />}
        onClick={onImport}
      >
        Importer
      </Button>
      <Button
        variant="subtle"
        aria-label="Exporter la zone"
        leftSection={<Download {...icon} />}
        loading={exporting.isBusy}
        onClick={exporting.run}
      >
        Exporter
      </Button>
      {exporting.failure !== undefined && <Failure sentence={exporting.failure} />}
    </div>
  );
}
