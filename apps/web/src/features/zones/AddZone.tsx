import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { createDnsZone, type DnsZone, zoneNameRefusal } from '@vigie/contracts/dns-zones';
import { type FormEvent, useRef, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import { LeaveGuard } from '../../ui/LeaveGuard';
import { toast } from '../../ui/toasts';
import styles from '../../ui/DialogForm.module.css';
import { NameServers } from './NameServers';
import { zonesApi } from './zones.api';

const domainOf = createDnsZone.input.shape.domain;

function useZoneForm(onMade: (zone: DnsZone) => void, focus: () => void) {
  const [create, { isLoading }] = zonesApi.useCreateZoneMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [domain, setDomain] = useState('');
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
    setDomain(text);
    setError(undefined);
  };
  return { domain, error, failure, isSaving: isLoading, type, submit };
}

type Props = { onOpen: (zone: DnsZone) => void; onClose: (isSaved: boolean) => void };

function Form({ onMade, onClose }: { onMade: (zone: DnsZone) => void; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { domain, error, failure, isSaving, type, submit } = useZoneForm(onMade, () => field.current?.focus());
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form noValidate onSubmit={send}>
      <div className={styles['content']}>
        <TextInput
          ref={field}
          data-autofocus
          name="domain"
          label="Nom de domaine"
          placeholder="exemple.fr"
          description="Le domaine lui-même, sans www. Ses enregistrements actuels restent en place tant que ses serveurs de noms ne changent pas."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={domain}
          error={error}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </div>
      <div className={styles['foot']}>
        <Failure sentence={failure} />
        <div className={styles['actions']}>
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" loading={isSaving}>
            Créer la zone
          </Button>
        </div>
      </div>
      <LeaveGuard isDirty={domain.trim() !== ''} isClosedBy={(search) => search['add'] !== true} />
    </form>
  );
}

/** Asks for the domain; then shows what is left to do at the registrar. */
export function AddZone({ onOpen, onClose }: Props) {
  const [made, setMade] = useState<DnsZone>();
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
