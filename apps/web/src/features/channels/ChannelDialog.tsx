import { Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { Channel } from '@vigie/contracts/channels';
import { useEffect, useRef } from 'react';
import { DialogFoot, DialogForm } from '../../kit/dialog/DialogForm';
import dialog from '../../kit/dialog/dialog.module.css';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { Callout } from '../../ui/Callout';
import { CopyLine } from '../../ui/CopyLine';
import { IncidentFields, KindField, TargetFields, TimeFields } from './ChannelFields';
import { type ChannelForm, useChannelForm } from './useChannelForm';

/** The secret of a new webhook, which no other answer holds. */
const ShownSecret = ({ secret }: { secret: string }) => (
  <>
    <output>
      <Callout tone="ok">{'Copiez ce secret maintenant\u00a0: Vigie ne le montrera plus.'}</Callout>
    </output>
    <CopyLine label="Secret de signature" text={secret} />
    <Text variant="note">
      {'Avec lui, votre programme vérifie que les messages viennent de Vigie (en-tête webhook-signature).'}
    </Text>
  </>
);

/** The answer that held the secret was lost on its way, and the repeated request does not have it. */
const LostSecret = () => (
  <output>
    <Callout tone="warn">
      {'Le canal existe, mais son secret n’a pas pu être affiché\u00a0: modifiez le canal, et donnez-lui un secret.'}
    </Callout>
  </output>
);

type MadeSecretProps = { secret: string | null; onClose: () => void };

function MadeSecret({ secret, onClose }: MadeSecretProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = content;
    const button = current?.querySelector('button') ?? current?.nextElementSibling?.querySelector('button');
    button?.focus();
  }, []);
  return (
    <>
      <div className={dialog['content']} ref={content}>
        {secret === null ? <LostSecret /> : <ShownSecret secret={secret} />}
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose} />
    </>
  );
}

type FieldsProps = { channel: Channel | undefined; form: ChannelForm };

const Fields = ({ channel, form }: FieldsProps) => (
  <>
    <KindField form={form} channel={channel} />
    <TextInput
      label="Nom"
      maxLength={100}
      autoComplete="off"
      {...(channel && { 'data-autofocus': true })}
      {...form.field('name')}
    />
    <TargetFields form={form} channel={channel} />
    {form.values.kind !== 'heartbeat' && (
      <>
        <IncidentFields form={form} />
        <TimeFields form={form} />
      </>
    )}
  </>
);

const titleOf = (channel: Channel | undefined, isAdded: boolean): string => {
  if (isAdded) return 'Canal ajouté';
  return channel ? 'Modifier le canal' : 'Ajouter un canal';
};

type Props = { channel: Channel | undefined; onSaved: () => void; onClose: () => void };

/** Adds a channel, or changes one. The address of the page says which. */
export function ChannelDialog({ channel: stored, onSaved, onClose }: Props) {
  const { channel, form, save, call, madeSecret } = useChannelForm(stored, onSaved);
  const isAdded = madeSecret !== undefined;
  const isClosedBy = (search: Record<string, unknown>) =>
    channel ? search['edit'] !== channel.id : search['add'] !== true;
  return (
    <>
      <FormDialog title={titleOf(channel, isAdded)} onClose={isAdded ? onSaved : onClose}>
        {isAdded ? (
          <MadeSecret secret={madeSecret} onClose={onSaved} />
        ) : (
          <DialogForm
            action={channel ? 'Enregistrer' : 'Ajouter le canal'}
            call={call}
            failure={form.errors.group_ids}
            onSubmit={save}
            onCancel={onClose}
          >
            <Fields channel={channel} form={form} />
          </DialogForm>
        )}
      </FormDialog>
      <LeaveGuard isDirty={!isAdded && form.isDirty} isClosedBy={isClosedBy} />
    </>
  );
}
