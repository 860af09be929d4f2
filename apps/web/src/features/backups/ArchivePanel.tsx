import { Button, Stack, Text } from '@mantine/core';
import type { ArchiveEntry } from '@vigie/contracts/backups';
import { GitCompareArrows, History, Save } from 'lucide-react';
import { useState } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { SelectField } from '../../ui/SelectField';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { ArchiveTree } from './ArchiveTree';
import { backupsApi, maxLocals } from './backups.api';
import { Comparison } from './Comparison';
import { LocalSearch, useLocalBackups } from './LocalSearch';
import { RestoreDialog } from './RestoreDialog';
import { restorePart, type RestoreRequest, restoreAll } from './restore-request';
import type { ArchiveSearch } from './search';
import { useSave } from './useBackups';
import { listFailed } from './words';

type Props = {
  siteId: string;
  filename: string;
  search: ArchiveSearch;
  onChange: (change: Partial<ArchiveSearch>) => void;
  onClose: () => void;
};

function CompareWith({ siteId, filename, search: { other }, onChange }: Omit<Props, 'onClose'>) {
  const archives = useLocalBackups(siteId);
  const others = archives.items.filter((local) => local.filename !== filename);
  const isListed = other === undefined || others.some((local) => local.filename === other);
  if (others.length === 0 && isListed && archives.q === '') {
    return <Text variant="hint">Pour comparer, il faut une deuxième archive dans Vigie.</Text>;
  }
  return (
    <>
      <LocalSearch archives={archives} />
      {archives.answer.error !== undefined && <Failure sentence={failureMessage(archives.answer.error, listFailed)} />}
      <SelectField
        label="Comparer avec"
        leftSection={<GitCompareArrows size={16} aria-hidden />}
        value={other ?? ''}
        onChange={(event) => onChange({ other: event.currentTarget.value || undefined, sheet: undefined })}
        data={[
          { value: '', label: 'Aucune autre archive' },
          ...(isListed ? [] : [other]),
          ...others.map((local) => ({ value: local.filename, label: archives.nameOf(local) })),
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
export function ArchivePanel({ onClose, ...archive }: Props) {
  const { siteId, filename } = archive;
  const saving = useSave(siteId);
  const [restoreRequest, setRestoreRequest] = useState<RestoreRequest>();
  const { currentData } = backupsApi.useLocalBackupsQuery({ id: siteId, filename, limit: maxLocals });
  const backup = currentData?.items[0];
  const restoreOf = (entry: ArchiveEntry) => {
    const part = backup && restorePart(backup, entry);
    return part && (() => setRestoreRequest(part));
  };
  return (
    <SidePanel
      title={filename}
      onClose={onClose}
      foot={
        <Foot
          isSaving={saving.pendingPath === filename}
          onSave={() => void saving.save(filename)}
          onRestore={backup && (() => setRestoreRequest(restoreAll(backup)))}
        />
      }
    >
      <Contents {...archive} backup={backup} saving={saving} restoreOf={restoreOf} />
      {restoreRequest && (
        <RestoreDialog
          siteId={siteId}
          request={restoreRequest}
          onStarted={onClose}
          onClose={() => setRestoreRequest(undefined)}
        />
      )}
    </SidePanel>
  );
}

type ContentsProps = Omit<Props, 'onClose'> & {
  backup: RestoreRequest['archive'] | undefined;
  saving: ReturnType<typeof useSave>;
  restoreOf: (entry: ArchiveEntry) => (() => void) | undefined;
};

function Contents({ backup, saving, restoreOf, ...panel }: ContentsProps) {
  const { siteId, filename, search, onChange } = panel;
  const { save, pendingPath, failure } = saving;
  const archive = { id: siteId, filename };
  return (
    <Stack gap={12} p="16px var(--gutter) 24px">
      {failure !== undefined && <Failure sentence={failure} />}
      {backup?.verified?.by === 'structure' && (
        <Callout tone="info">
          <p>Cette archive ne contient pas de sommes de contrôle&#160;: sa structure seule a pu être vérifiée.</p>
        </Callout>
      )}
      <CompareWith {...panel} />
      {search.other === undefined ? (
        <ArchiveTree
          archive={archive}
          search={search}
          onChange={onChange}
          onSave={(part) => void save(filename, part)}
          pendingPath={pendingPath}
          restoreOf={restoreOf}
        />
      ) : (
        <Comparison archive={archive} other={search.other} sheet={search.sheet ?? 1} onChange={onChange} />
      )}
    </Stack>
  );
}
