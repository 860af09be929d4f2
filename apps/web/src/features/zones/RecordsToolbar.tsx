import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { recordTypes } from '@vigie/contracts/dns-content';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Download, History, Plus, RefreshCw, Stethoscope, Upload } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { SearchField } from '../../ui/SearchField';
import { SelectField } from '../../ui/SelectField';
import { SortChoice } from '../../ui/SortChoice';
import { recordColumnLabels } from './RecordsTable';
import { type Change, recordColumns, sortBy, sortedBy, type ZonesSearch } from './search';
import styles from './Toolbar.module.css';
import { useExport } from './useExport';

type Props = {
  zone: DnsZone;
  search: ZonesSearch;
  show: Change;
  list: { isBusy: boolean; run: () => void };
  onImport: () => void;
};

/** What is done with the zone as a whole. */
function ZoneActions({ zone, show, onImport }: Pick<Props, 'zone' | 'show' | 'onImport'>) {
  const exporting = useExport(zone.ref);
  return (
    <>
      <IconButton
        icon={History}
        label="Historique"
        onClick={() => show({ side: 'history', snapshot: undefined }, { isStep: true })}
      />
      <IconButton
        icon={Stethoscope}
        label="Vérifier la zone"
        onClick={() => show({ side: 'lint' }, { isStep: true })}
      />
      <IconButton icon={Upload} label="Importer un fichier de zone" onClick={onImport} />
      <IconButton icon={Download} label="Exporter la zone" disabled={exporting.isBusy} onClick={exporting.run} />
    </>
  );
}

export function RecordsToolbar({ zone, search, show, list, onImport }: Props) {
  const isNarrow = useMediaQuery('(width < 900px)', undefined, { getInitialValueInEffect: false });
  return (
    <div className={styles['toolbar']}>
      <search className={styles['filters']}>
        <SearchField
          label="Rechercher un enregistrement"
          className={styles['search']}
          value={search.q ?? ''}
          onChange={(q) => show({ q: q || undefined, page: undefined })}
        />
        <SelectField
          aria-label="Filtrer par type"
          className={styles['choice']}
          data={[{ value: '', label: 'Tous les types' }, ...recordTypes.map((value) => ({ value, label: value }))]}
          value={search.type ?? ''}
          onChange={({ currentTarget: { value } }) => show({ type: value || undefined, page: undefined })}
        />
        {isNarrow && (
          <SortChoice
            {...sortedBy(recordColumns, search.sort)}
            columns={recordColumns}
            labels={recordColumnLabels}
            className={styles['short']}
            onChange={(column, isDescending) => show({ sort: sortBy(column, isDescending), page: undefined })}
          />
        )}
      </search>
      <div className={styles['actions']}>
        <ZoneActions zone={zone} show={show} onImport={onImport} />
        <Button
          variant="default"
          loading={list.isBusy}
          leftSection={<RefreshCw size={16} aria-hidden />}
          onClick={list.run}
        >
          Actualiser
        </Button>
        <Button
          aria-label="Ajouter un enregistrement"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => show({ record: 'new' })}
        >
          Ajouter
        </Button>
      </div>
    </div>
  );
}
