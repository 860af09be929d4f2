import { Button } from '@mantine/core';
import { createDnsZone, type DnsZone, zoneNameRefusal } from '@vigie/contracts/dns-zones';
import { useRef, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFormValues } from '../../app/useFormValues';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { Callout } from '../../ui/Callout';
import { DialogForm } from '../../ui/DialogForm';
import { FormDialog } from '../../ui/FormDialog';
import { LeaveGuard } from '../../ui/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { toast } from '../../ui/toasts';
import styles from '../../ui/DialogForm.module.css';
import { NameServers } from './NameServers';
import { zonesApi } from './zones.api';

const domainOf = createDnsZone.input.shape.domain;

function useZoneForm(onMade: (zone: DnsZone) => void, focus: () => void) {
  const [create, { isLoading }] = zonesApi.useCreateZoneMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [{ domain }, setValues] = useFormValues('zone', { domain: '' });
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const submit = async () => {
    const checked = domainOf.safeParse(domain);
    setError(checked.success ? undefined : zoneNameRefusal);
    setFailure(undefined);
    if (!checked.success) focus();
    if (!checked.success || isLoading) return;
    const body = { domain: checked.data };
    const { data, error: refusal } = await create({ ...body, idempotencyKey: keyFor(body) });
    if (!data) return setFailure(tellFailure(refusal, 'Failed to create zone'));
    renewKey();
    toast.success(`Zone ${data.display_name} créée.`);
    onMade(data);
  };
  const type = (text: string) => {
    setValues({ domain: text });
    setError(undefined);
  };
  return { domain, error, failure, isSaving: isLoading, type, submit };
}

type Props = { onOpen: (zone: DnsZone) => void; onClose: (isSaved: boolean) => void };

function Form({ onMade, onClose }: { onMade: (zone: DnsZone) => void; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { domain, error, failure, isSaving, type, submit } = useZoneForm(onMade, () => field.current?.focus());
  return (
    <>
      <DialogForm
        action="Créer la zone"
        failure={failure}
        isSending={isSaving}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <LineField
          ref={field}
          data-autofocus
          name="domain"
          label="Nom de domaine"
          placeholder="exemple.fr"
          description="Le domaine lui-même, sans www. Ses enregistrements actuels restent en place tant que ses serveurs de noms ne changent pas."
          inputMode="url"
          value={domain}
          error={error}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </DialogForm>
      <LeaveGuard isDirty={domain.trim() !== ''} isClosedBy={(search) => search['add'] !== true} />
    </>
  );
}

/** Asks for the domain; then shows what is left to do at the registrar. */
export function AddZone({ onOpen, onClose }: Props) {
  const [made, setMade] = useState<DnsZone>();
  // The second dialog opens from the first, which is gone by then.
  useReturnFocus();
  if (!made) {
    return (
      <FormDialog key="form" title="Nouvelle zone" onClose={() => onClose(false)}>
        <Form onMade={setMade} onClose={() => onClose(false)} />
      </FormDialog>
    );
  }
  return (
    <FormDialog key="made" title={`${made.display_name}\u00a0: il reste une étape`} onClose={() => onClose(true)}>
      <div className={styles['content']}>
        <Callout tone="ok">
          <p>La zone est créée chez Cloudflare.</p>
        </Callout>
        <NameServers zone={made} />
      </div>
      <div className={styles['foot']}>
        <div className={styles['actions']}>
          <Button variant="default" onClick={() => onClose(true)}>
            Fermer
          </Button>
          <Button data-autofocus onClick={() => onOpen(made)}>
            Voir les enregistrements
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
