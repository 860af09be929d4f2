import { Button } from '@mantine/core';
import { createDnsZone, type DnsZone, zoneNameRefusal } from '@vigie/contracts/dns-zones';
import { useRef, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFormValues } from '../../kit/form/useFormValues';
import { Callout } from '../../ui/Callout';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { toast } from '../../ui/toasts';
import styles from '../../kit/dialog/DialogForm.module.css';
import { NameServers } from './NameServers';
import { zonesApi } from './zones.api';

const domainOf = createDnsZone.input.shape.domain;

function useZoneForm(onCreated: (zone: DnsZone) => void, focus: () => void) {
  const [create, { isLoading }] = zonesApi.useCreateZoneMutation();
  const [{ domain }, setValues] = useFormValues('zone', { domain: '' });
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const submit = async () => {
    const parsed = domainOf.safeParse(domain);
    setError(parsed.success ? undefined : zoneNameRefusal);
    setFailure(undefined);
    if (!parsed.success) focus();
    if (!parsed.success || isLoading) return;
    const body = { domain: parsed.data };
    const { data, error: refusal } = await create(body);
    if (!data) return setFailure(reportFailure(refusal, 'Failed to create zone'));
    toast.success(`Zone ${data.display_name} créée.`);
    onCreated(data);
  };
  const changeDomain = (text: string) => {
    setValues({ domain: text });
    setError(undefined);
  };
  return { domain, error, failure, isSaving: isLoading, changeDomain, submit };
}

type Props = { onOpen: (zone: DnsZone) => void; onClose: (isSaved: boolean) => void };

function Form({ onCreated, onClose }: { onCreated: (zone: DnsZone) => void; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { domain, error, failure, isSaving, changeDomain, submit } = useZoneForm(onCreated, () =>
    field.current?.focus(),
  );
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
          onChange={(event) => changeDomain(event.currentTarget.value)}
        />
      </DialogForm>
      <LeaveGuard isDirty={domain.trim() !== ''} isClosedBy={(search) => search['add'] !== true} />
    </>
  );
}

/** Creates a zone, then shows the name servers to enter at the registrar. */
export function AddZone({ onOpen, onClose }: Props) {
  const [createdZone, setCreatedZone] = useState<DnsZone>();
  // The second dialog opens after the first is gone: only this component knows where the focus came from.
  useReturnFocus();
  if (!createdZone) {
    return (
      <FormDialog key="form" title="Nouvelle zone" onClose={() => onClose(false)}>
        <Form onCreated={setCreatedZone} onClose={() => onClose(false)} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      key="made"
      title={`${createdZone.display_name}\u00a0: il reste une étape`}
      onClose={() => onClose(true)}
    >
      <div className={styles['content']}>
        <Callout tone="ok">
          <p>La zone est créée chez Cloudflare.</p>
        </Callout>
        <NameServers zone={createdZone} />
      </div>
      <div className={styles['foot']}>
        <div className={styles['actions']}>
          <Button variant="default" onClick={() => onClose(true)}>
            Fermer
          </Button>
          <Button data-autofocus onClick={() => onOpen(createdZone)}>
            Voir les enregistrements
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
