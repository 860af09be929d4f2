import { Button } from '@mantine/core';
import type { ArchiveEntry, LocalBackup } from '@vigie/contracts/backups';
import { GitCompareArrows, History, Save } from 'lucide-react';
import { useState } from 'react';
import { Callout } from '../../ui/Callout';
import { SelectField } from '../../ui/SelectField';
import { SidePanel } from '../../ui/SidePanel';
import { ArchiveTree } from './ArchiveTree';
import styles from './Archive.module.css';
import { backupsApi } from './backups.api';
import { Comparison } from './Comparison';
import { RestoreDialog } from './RestoreDialog';
import { partOf, type Restoring, wholeOf } from './restoring';
import type { ArchiveSearch } from './search';
import { useSave } from './useSave';
import { spellMo } from './words';

type Props = {
  site: string;
  filename: string;
  search: ArchiveSearch;
  onChange: (change: Partial<ArchiveSearch>) => void;
  onClose: () => void;
};

type CompareProps = Pick<Props, 'filename' | 'search' | 'onChange'> & { locals: readonly LocalBackup[] };

function CompareWith({ filename, locals, search, onChange }: CompareProps) {
  const others = locals.filter((one) => one.filename !== filename);
  if (others.length === 0) {
    return <p className={styles['more']}>Une autre archive gardée par Vigie pourra lui être comparée.</p>;
  }
  return (
    <SelectField
      label="Comparer avec"
      leftSection={<GitCompareArrows size={16} aria-hidden />}
      value={search.other ?? ''}
      onChange={(event) => onChange({ other: event.currentTarget.value || undefined, sheet: undefined })}
      data={[
        { value: '', label: 'Aucune autre archive' },
        ...others.map((one) => ({ value: one.filename, label: `${one.filename} · ${spellMo(one.size)}` })),
      ]}
    />
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

/** What is in an archive of Vigie, without any of it being unpacked. */
export function ArchivePanel({ site, filename, search, onChange, onClose }: Props) {
  const { save, asking } = useSave(site);
  const [restoring, setRestoring] = useState<Restoring>();
  const { currentData: locals = [] } = backupsApi.useLocalBackupsQuery(site);
  const known = locals.find((one) => one.filename === filename);
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
        {known?.verified?.by === 'structure' && (
          <Callout tone="info">
            <p>Cette archive ne contient pas de sommes de contrôle&#160;: sa structure seule a pu être vérifiée.</p>
          </Callout>
        )}
        <CompareWith filename={filename} locals={locals} search={search} onChange={onChange} />
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
