import { Button } from '@mantine/core';
import type { ArchiveEntry } from '@vigie/contracts/backups';
import { GitCompareArrows, History, Save } from 'lucide-react';
import { useState } from 'react';
import { failedBy } from '../../app/failed';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { SelectField } from '../../ui/SelectField';
import { SidePanel } from '../../ui/SidePanel';
import { ArchiveTree } from './ArchiveTree';
import styles from './Archive.module.css';
import { backupsApi } from './backups.api';
import { Comparison } from './Comparison';
import { LocalSearch, useLocals } from './LocalSearch';
import { RestoreDialog } from './RestoreDialog';
import { partOf, type Restoring, wholeOf } from './restoring';
import type { ArchiveSearch } from './search';
import { useSave } from './useSave';
import { listFailed } from './words';

type Props = {
  site: string;
  filename: string;
  search: ArchiveSearch;
  onChange: (change: Partial<ArchiveSearch>) => void;
  onClose: () => void;
};

function CompareWith({ site, filename, search: { other }, onChange }: Omit<Props, 'onClose'>) {
  const locals = useLocals(site);
  const others = locals.items.filter((one) => one.filename !== filename);
  const isOffered = other === undefined || others.some((one) => one.filename === other);
  if (others.length === 0 && isOffered && locals.q === '') {
    return <p className={styles['more']}>Une autre archive gardée par Vigie pourra lui être comparée.</p>;
  }
  return (
    <>
      <LocalSearch locals={locals} />
      {locals.answer.error !== undefined && <Failure sentence={failedBy(locals.answer.error, listFailed)} />}
      <SelectField
        label="Comparer avec"
        leftSection={<GitCompareArrows size={16} aria-hidden />}
        value={other ?? ''}
        onChange={(event) => onChange({ other: event.currentTarget.value || undefined, sheet: undefined })}
        data={[
          { value: '', label: 'Aucune autre archive' },
          ...(isOffered ? [] : [other]),
          ...others.map((one) => ({ value: one.filename, label: locals.nameOf(one) })),
        ]}
      />
    </>
  );
}

type FootProps = { isSaving: boolean; onSave: () => void; onRestore: (() => void) | undefined };

const Foot = ({ isSaving, onSave, onRestore }: FootProps) => (
  <>
    <Button
      variant="default"
      disabled={!onRestore}
      aria-label="Restaurer l’archive"
      leftSection={<History size={16} aria-hidden />}
      onClick={() => onRestore?.()}
    >
      Restaurer
    </Button>
    <Button variant="default" loading={isSaving} leftSection={<Save size={16} aria-hidden />} onClick={onSave}>
      Enregistrer toute l’archive
    </Button>
  </>
);

/** Browses an archive that Vigie stores, without unpacking it. */
export function ArchivePanel({ site, filename, search, onChange, onClose }: Props) {
  const { save, asking, failure } = useSave(site);
  const [restoring, setRestoring] = useState<Restoring>();
  const { currentData } = backupsApi.useLocalBackupsQuery({ site, filename });
  const known = currentData?.items[0];
  const restoreOf = (entry: ArchiveEntry) => {
    const part = known && partOf(known, entry);
    return part && (() => setRestoring(part));
  };
  return (
    <SidePanel
      title={filename}
      onClose={onClose}
      foot={
        <Foot
          isSaving={asking === filename}
          onSave={() => save(filename)}
          onRestore={known && (() => setRestoring(wholeOf(known)))}
        />
      }
    >
      <div className={styles['panel']}>
        {failure !== undefined && <Failure sentence={failure} />}
        {known?.verified?.by === 'structure' && (
          <Callout tone="info">
            <p>Cette archive ne contient pas de sommes de contrôle&#160;: sa structure seule a pu être vérifiée.</p>
          </Callout>
        )}
        <CompareWith site={site} filename={filename} search={search} onChange={onChange} />
        {search.other === undefined ? (
          <ArchiveTree
            named={{ site, filename }}
            search={search}
            onChange={onChange}
            onSave={(part) => save(filename, part)}
            savingNow={asking}
            restoreOf={restoreOf}
          />
        ) : (
          <Comparison named={{ site, filename }} other={search.other} sheet={search.sheet ?? 1} onChange={onChange} />
        )}
      </div>
      {restoring && (
        <RestoreDialog site={site} restoring={restoring} onBegun={onClose} onClose={() => setRestoring(undefined)} />
      )}
    </SidePanel>
  );
}
