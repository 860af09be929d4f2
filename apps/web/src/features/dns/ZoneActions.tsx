import { Button } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Download, History, Stethoscope, Upload } from 'lucide-react';
import { Failure } from '../../ui/Failure';
import styles from './dns.module.css';
import type { Change } from './search';
import { sentenceOf } from '../../kit/query/failures';
import { saveFile } from '../../ui/saveFile';
import { recordsApi } from './records.api';

/** Downloads the zone as a BIND file. */
function useExport(zoneId: string) {
  const [exportZone, { isLoading, error }] = recordsApi.useExportZoneMutation();
  const run = async () => {
    const { data } = await exportZone({ zone_id: zoneId });
    if (data) saveFile(data.filename, new Blob([data.content], { type: 'text/plain' }));
  };
  return { isBusy: isLoading, failure: sentenceOf(error), run: () => void run() };
}

type Props = { zone: DnsZone; show: Change; onImport: () => void };

const icon = { size: 16, 'aria-hidden': true } as const;

export function ZoneActions({ zone, show, onImport }: Props) {
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
