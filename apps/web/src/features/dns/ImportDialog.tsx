import { Button, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { fileRefusal } from '@vigie/contracts/dns-changes';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { type ChangeEvent, useRef, useState } from 'react';
import { type DraftForm, useDraftForm } from '../../kit/form/useDraftForm';
import { Callout } from '../../ui/Callout';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { plural } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { useReturnFocus } from '../../ui/focus';
import { ChangesDialog, useApplyChanges } from './ChangesDialog';
import { type ImportPreview, recordsApi } from './records.api';

type ZoneFile = { content: string; mode: 'add' | 'replace' };
type Props = { zone: DnsZone; onClose: () => void };
type ShowPreview = (preview: ImportPreview) => void;

const leaveWarning = { undone: 'importer', lost: 'Le fichier de zone et vos corrections seront perdus.' };

function checkFile({ content }: ZoneFile): { content?: string } {
  if (content.trim() === '') return { content: 'Choisissez un fichier de zone, ou collez son contenu.' };
  const refusal = fileRefusal(content);
  return refusal === undefined ? {} : { content: refusal };
}

type PickProps = { onPick: (content: string) => void; onFail: (sentence: string | undefined) => void };

function FilePicker({ onPick, onFail }: PickProps) {
  const picker = useRef<HTMLInputElement>(null);
  const pick = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [pickedFile] = currentTarget.files ?? [];
    // Lets the user pick the same file again after correcting it.
    currentTarget.value = '';
    if (!pickedFile) return;
    onFail(undefined);
    try {
      onPick(await pickedFile.text());
    } catch {
      onFail('Ce fichier n’a pas pu être lu. Vérifiez qu’il est encore là, puis choisissez-le de nouveau.');
    }
  };
  return (
    <div>
      <Button variant="default" onClick={() => picker.current?.click()}>
        Choisir un fichier de zone
      </Button>
      <input
        ref={picker}
        hidden
        type="file"
        aria-label="Fichier de zone"
        accept=".txt,.zone,.db,.bind,text/plain"
        onChange={(event) => void pick(event)}
      />
    </div>
  );
}

type FileForm = DraftForm<ZoneFile>;

/** Takes a file, or its pasted content. */
function ChooseFile({ zone, form, onPreview, onClose }: Props & { form: FileForm; onPreview: ShowPreview }) {
  const [preview, call] = recordsApi.usePreviewImportMutation();
  const [readFailure, setReadFailure] = useState<string>();
  const isDirty = form.values.content.trim() !== '';
  const { close, guard } = useCloseGuard({ isDirty, ...leaveWarning, onClose });
  const read = async (file: ZoneFile) => {
    setReadFailure(undefined);
    const { data } = await preview({ zone_id: zone.ref, ...file });
    if (data) onPreview(data);
  };
  return (
    <FormDialog title={`Importer dans ${zone.display_name}`} isWide onClose={close}>
      <DialogForm
        action="Voir les différences"
        call={call}
        failure={readFailure}
        onSubmit={form.submit(read)}
        onCancel={close}
      >
        <FilePicker
          onPick={(content) => {
            call.reset();
            form.change({ content });
          }}
          onFail={setReadFailure}
        />
        <FileFields form={form} />
      </DialogForm>
      {guard}
    </FormDialog>
  );
}

function FileFields({ form }: { form: FileForm }) {
  return (
    <>
      <Textarea
        data-autofocus
        label="Fichier de zone (format BIND)"
        placeholder="www 3600 IN A 203.0.113.10"
        rows={10}
        spellCheck={false}
        {...form.field('content')}
      />
      <SelectField
        label="Enregistrements qui ne sont pas dans le fichier"
        data={[
          { value: 'add', label: 'Les garder' },
          { value: 'replace', label: 'Les supprimer' },
        ]}
        {...form.field('mode')}
      />
    </>
  );
}

/** Lists the lines that could not be read, and the records that are kept because of them. */
function ImportProblems({ preview }: { preview: ImportPreview }) {
  const { problems, problems_total: problemsTotal, spared } = preview;
  if (problems.length === 0) return null;
  return (
    <Callout tone="warn">
      <p>{`${plural(problemsTotal, 'ligne n’a pas été comprise et sera laissée', 'lignes n’ont pas été comprises et seront laissées')} de côté${problemsTotal > problems.length ? `. Les ${problems.length} premières` : ''}\u00a0:`}</p>
      <ul>
        {problems.map(({ line, text, message }) => (
          <li key={line}>
            {`Ligne ${line}\u00a0: ${message} `}
            <code>{text}</code>
          </li>
        ))}
      </ul>
      {spared > 0 && (
        <p>
          {`${plural(spared, 'enregistrement absent du fichier est gardé', 'enregistrements absents du fichier sont gardés')}\u00a0: ces lignes les concernent peut-être. Pour les supprimer, corrigez ou retirez ces lignes.`}
        </p>
      )}
    </Callout>
  );
}

type ReviewImportProps = Props & {
  file: ZoneFile;
  preview: ImportPreview;
  onPreview: ShowPreview;
  onBack: () => void;
};

function ReviewImport({ zone, file, preview, onPreview, onBack, onClose }: ReviewImportProps) {
  const [send, call] = recordsApi.useImportZoneMutation();
  const [compare, comparison] = recordsApi.usePreviewImportMutation();
  const refreshPreview = async () => {
    const { data } = await compare({ zone_id: zone.ref, ...file });
    if (data) onPreview(data);
  };
  const { result, apply } = useApplyChanges(send, {
    onDone: onClose,
    onZoneChanged: () => void refreshPreview(),
  });
  const { close, guard } = useCloseGuard({ isDirty: result === undefined, ...leaveWarning, onClose });
  return (
    <ChangesDialog
      title={`Importer dans ${zone.display_name}`}
      zoneName={zone.name}
      answer={{ data: preview, isLoading: comparison.isLoading }}
      action="Importer"
      isDangerous={file.mode === 'replace'}
      call={call}
      result={result}
      onRetry={() => undefined}
      onApply={() => apply({ zone_id: zone.ref, ...file, expected_zone: preview.version })}
      onClose={close}
    >
      {guard}
      {!result && (
        <div>
          <Button variant="default" disabled={call.isLoading} onClick={onBack}>
            Modifier le fichier
          </Button>
        </div>
      )}
      <UnchangedCount count={preview.unchanged} />
      <ImportProblems preview={preview} />
    </ChangesDialog>
  );
}

function UnchangedCount({ count }: { count: number }) {
  if (count === 0) return null;
  return <Text variant="note">{plural(count, 'enregistrement est déjà là.', 'enregistrements sont déjà là.')}</Text>;
}

/** Compares a zone file with the zone before importing it. */
export function ImportDialog({ zone, onClose }: Props) {
  const form = useDraftForm<ZoneFile>({
    name: `import ${zone.ref}`,
    initial: { content: '', mode: 'add' },
    validate: checkFile,
  });
  const [preview, setPreview] = useState<ImportPreview>();
  // Each dialog replaces the other: only this component knows where the focus came from.
  useReturnFocus();
  const shared = { zone, onPreview: setPreview, onClose };
  return preview ? (
    <ReviewImport {...shared} file={form.values} preview={preview} onBack={() => setPreview(undefined)} />
  ) : (
    <ChooseFile {...shared} form={form} />
  );
}
