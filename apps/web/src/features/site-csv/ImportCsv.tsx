import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { plural } from '../../ui/plural';
import { ChooseCsv } from './ChooseCsv';
import { CsvLines } from './CsvLines';
import { CsvOutcome } from './CsvOutcome';
import { newGroupsOf } from './lines';
import type { ImportResult } from './site-csv.api';
import { type Preview, useImport, usePreview } from './useSiteCsv';

/** Imports sites from a CSV file: the file, what would become of each line, and how it ended. */
export function ImportCsv({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const reading = usePreview();
  const [outcome, setOutcome] = useState<ImportResult>();
  const { preview, forget } = reading;
  const isDirty = outcome === undefined && (preview !== undefined || text.trim() !== '');
  return (
    <>
      <FormDialog title="Importer un CSV" isWide onClose={onClose}>
        {outcome ? (
          <CsvOutcome outcome={outcome} onClose={onClose} />
        ) : preview ? (
          <PreviewCsv preview={preview} onDone={setOutcome} onBack={forget} onClose={onClose} />
        ) : (
          <ChooseCsv text={text} preview={reading} onType={setText} onClose={onClose} />
        )}
      </FormDialog>
      <LeaveGuard
        isDirty={isDirty}
        isClosedBy={(search) => search['csv'] !== true}
        title={'Fermer sans importer\u202f?'}
        action="Fermer sans importer"
      >
        <p>Ce qui n’est pas encore importé ne le sera pas.</p>
      </LeaveGuard>
    </>
  );
}

const maxNames = 20;

type PreviewProps = {
  preview: Preview;
  onDone: (outcome: ImportResult) => void;
  onBack: () => void;
  onClose: () => void;
};

function PreviewCsv({ preview: { lines, ignored }, onDone, onBack, onClose }: PreviewProps) {
  const importing = useImport(onDone);
  const [excluded, setExcluded] = useState<ReadonlySet<number>>(new Set());
  const chosen = lines.filter(({ verdict: { state, line } }) => state === 'new' && !excluded.has(line));
  const toggle = (numbers: readonly number[], isOn: boolean) => {
    const next = new Set(excluded);
    for (const line of numbers)
      if (isOn) next.delete(line);
      else next.add(line);
    setExcluded(next);
  };
  return (
    <DialogForm
      action={chosen.length === 0 ? 'Importer' : `Importer ${plural(chosen.length, 'site', 'sites')}`}
      isDisabled={chosen.length === 0}
      call={{ isLoading: importing.isBusy }}
      failure={importing.failure}
      onSubmit={() => void importing.run(chosen.map(({ typed }) => typed))}
      onCancel={onClose}
    >
      <Group justify="space-between">
        <Summary lines={lines} />
        <Button variant="default" disabled={importing.isBusy} onClick={onBack}>
          Changer de fichier
        </Button>
      </Group>
      <NewGroups names={newGroupsOf(chosen)} />
      <CsvLines lines={lines} excluded={excluded} onToggle={toggle} />
      {ignored.length > 0 && (
        <Text variant="note">{`Colonnes laissées de côté\u00a0: ${ignored.slice(0, maxNames).join(', ')}.`}</Text>
      )}
    </DialogForm>
  );
}

function Summary({ lines }: Pick<Preview, 'lines'>) {
  const count = (state: Preview['lines'][number]['verdict']['state']) =>
    lines.filter(({ verdict }) => verdict.state === state).length;
  const [created, known, refused] = [count('new'), count('known'), count('refused')];
  const parts = [
    plural(created, 'nouveau site', 'nouveaux sites'),
    known > 0 ? `${known} déjà là` : '',
    refused > 0 ? plural(refused, 'ligne refusée', 'lignes refusées') : '',
  ];
  return <output>{`${parts.filter(Boolean).join(', ')}.`}</output>;
}

function NewGroups({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length > maxNames ? ` et ${names.length - maxNames} autres` : '';
  return (
    <Text>{`${names.length === 1 ? 'Groupe à créer' : 'Groupes à créer'}\u00a0: ${names.slice(0, maxNames).join(', ')}${more}.`}</Text>
  );
}
