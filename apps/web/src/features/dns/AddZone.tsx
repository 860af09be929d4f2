import { Button } from '@mantine/core';
import { createDnsZone, type DnsZone, zoneNameRefusal } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { Callout } from '../../ui/Callout';
import { DialogForm, DialogFoot } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { useReturnFocus } from '../../ui/focus';
import { toast } from '../../ui/toasts';
import styles from '../../kit/dialog/dialog.module.css';
import { NameServers } from './NameServers';
import { zonesApi } from './zones.api';

const domainOf = createDnsZone.input.shape.domain;

type Props = { onOpen: (zone: DnsZone) => void; onClose: (isSaved: boolean) => void };

const blank = { domain: '' };

function Form({ onCreated, onClose }: { onCreated: (zone: DnsZone) => void; onClose: () => void }) {
  const [create, call] = zonesApi.useCreateZoneMutation();
  const form = useDraftForm({
    name: 'zone',
    initial: blank,
    validate: ({ domain }) => (domainOf.safeParse(domain).success ? {} : { domain: zoneNameRefusal }),
  });
  const save = async ({ domain }: typeof blank) => {
    const { data } = await create({ domain: domainOf.parse(domain) });
    if (!data) return;
    toast.success(`Zone ${data.display_name} créée.`);
    onCreated(data);
  };
  return (
    <>
      <DialogForm action="Créer la zone" call={call} onSubmit={form.submit(save)} onCancel={onClose}>
        <LineField
          data-autofocus
          label="Nom de domaine"
          placeholder="exemple.fr"
          description="Le domaine, sans www. Rien ne change pour ses visiteurs tant que vous gardez ses serveurs de noms actuels."
          inputMode="url"
          {...form.field('domain')}
        />
      </DialogForm>
      <LeaveGuard isDirty={form.values.domain.trim() !== ''} isClosedBy={(search) => search['add'] !== true} />
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
      <DialogFoot cancel="Fermer" onCancel={() => onClose(true)}>
        <Button data-autofocus onClick={() => onOpen(createdZone)}>
          Voir les enregistrements
        </Button>
      </DialogFoot>
    </FormDialog>
  );
}
