import { Button, Group, Stack, Text } from '@mantine/core';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Failure } from '../../ui/Failure';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { useEscape } from '../../ui/useEscape';
import { useReturnFocus } from '../../ui/focus';
import { Differences } from './Differences';
import styles from './dns.module.css';
import { RecordFields } from './RecordFields';
import { type Editor, useRecordEditor } from './useRecordEditor';
import type { Values } from './values';
import { Versions } from './Versions';

type Props = {
  zone: DnsZone;
  /** Undefined for a new record. */
  record: DnsRecord | undefined;
  initial?: Values | undefined;
  onSaved: () => void;
  onClose: () => void;
};

type StepProps = { editor: Editor; zone: DnsZone; children: ReactNode };

/** Takes the focus, since it replaces the form. */
function Step({ label, children }: { label: string; children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => step.current?.focus(), []);
  return (
    <Stack component="section" ref={step} tabIndex={-1} aria-label={label} gap={12} style={{ outline: 'none' }}>
      {children}
    </Stack>
  );
}

function ReviewStep({ editor, zone, children }: StepProps) {
  const { difference, failure, isBusy } = editor;
  const isRefused = difference?.refusal !== null;
  return (
    <Step label="Ce qui va changer">
      <Text fz={14} fw={600}>
        Ce qui va changer
      </Text>
      {difference && <Differences differences={[difference]} leftOut={0} zoneName={zone.name} />}
      <Failure sentence={failure} />
      <Group gap={8}>
        <Button loading={isBusy} disabled={isRefused} onClick={() => void editor.save()}>
          Enregistrer
        </Button>
        <Button variant="default" onClick={editor.backToForm}>
          Revenir
        </Button>
        {children}
      </Group>
    </Step>
  );
}

function ConflictStep({ editor, zone, children }: StepProps) {
  const { conflict, base, isBusy } = editor;
  if (!conflict) return null;
  return (
    <Step label="Versions différentes">
      <Versions conflict={conflict} loaded={base} zoneName={zone.name} />
      <Group gap={8}>
        {conflict.current && (
          <Button variant="default" onClick={editor.takeCurrent}>
            Reprendre la version actuelle
          </Button>
        )}
        <Button variant="default" color="danger" loading={isBusy} onClick={() => void editor.overwriteCurrent()}>
          {conflict.current ? 'Remplacer par la mienne…' : 'Recréer l’enregistrement…'}
        </Button>
        {children}
      </Group>
    </Step>
  );
}

/** Edits a record in its own row: the form, then a preview of the change, then any conflict. */
export function RecordEditor({ zone, record, initial, onSaved, onClose }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRecordEditor({ zoneId: zone.ref, record, initial, onSaved });
  useReturnFocus();
  useEscape(container, onClose);
  const isForm = editor.difference === undefined && editor.conflict === undefined;
  const focusForm = useEffectEvent(() => editor.focus(record ? 'content' : 'name'));
  useEffect(() => {
    if (isForm) focusForm();
  }, [isForm]);
  const cancel = (
    <Button variant="default" onClick={onClose}>
      Annuler
    </Button>
  );
  return (
    <div ref={container} className={styles['editor']}>
      {editor.conflict ? (
        <ConflictStep editor={editor} zone={zone}>
          {cancel}
        </ConflictStep>
      ) : editor.difference ? (
        <ReviewStep editor={editor} zone={zone}>
          {cancel}
        </ReviewStep>
      ) : (
        <FormStep editor={editor} record={record}>
          {cancel}
        </FormStep>
      )}
      <LeaveGuard
        isDirty={editor.isDirty}
        isClosedBy={(search) => search['record'] !== (record?.id ?? 'new') || search['zone'] !== zone.ref}
      />
    </div>
  );
}

function FormStep({ editor, record, children }: Omit<StepProps, 'zone'> & Pick<Props, 'record'>) {
  return (
    <form
      noValidate
      aria-label={record ? `Modifier ${record.display_name}` : 'Nouvel enregistrement'}
      onSubmit={editor.previewChanges}
    >
      <Stack gap={12}>
        <RecordFields editor={editor} loadedTtl={String(editor.base?.ttl ?? 3600)} />
        <Failure sentence={editor.failure} />
        <Group gap={8}>
          <Button type="submit" loading={editor.isBusy}>
            Continuer
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  );
}
