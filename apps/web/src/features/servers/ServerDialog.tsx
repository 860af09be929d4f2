import { Button } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { type FormEvent, useRef } from 'react';
import { failedBy } from '../../app/failed';
import { GroupsField } from '../../app/GroupsField';
import dialog from '../../ui/DialogForm.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import { LeaveGuard } from '../../ui/LeaveGuard';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { AuthFields } from './AuthFields';
import styles from './ServerDialog.module.css';
import { ServerFields } from './ServerFields';
import { serversApi } from './servers.api';
import { type Saved, useServerForm } from './useServerForm';
import type { Field } from './values';

type Props = { onSaved: (saved: Saved) => void; onClose: () => void };

function Form({ server, onSaved, onClose }: Props & { server: Server | undefined }) {
  const element = useRef<HTMLFormElement>(null);
  const focus = (field: Field) => element.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const form = useServerForm(server, focus);
  const submit = async () => {
    const saved = await form.submit();
    if (!saved) return;
    toast.success(saved.isNew ? `Serveur ${saved.server.name} ajouté.` : `Serveur ${saved.server.name} enregistré.`);
    onSaved(saved);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <>
      <FormDialog title={server ? `Modifier ${server.name}` : 'Ajouter un serveur'} onClose={onClose}>
        <form ref={element} noValidate onSubmit={send}>
          <div className={styles['content']}>
            <ServerFields form={form} />
            <GroupsField value={form.values.groups} onChange={(groups) => form.change({ groups })} />
            <AuthFields form={form} />
          </div>
          <div className={dialog['foot']}>
            <Failure sentence={form.failure} />
            <div className={dialog['actions']}>
              <Button variant="default" onClick={onClose}>
                Annuler
              </Button>
              <Button type="submit" loading={form.isSaving}>
                {server ? 'Enregistrer' : 'Ajouter le serveur'}
              </Button>
            </div>
          </div>
        </form>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy(server)} />
    </>
  );
}

const isClosedBy = (server: Server | undefined) => (search: Record<string, unknown>) =>
  server ? search['edit'] !== server.id : search['add'] !== true;

/** The form of another server. */
export const AddServer = (props: Props) => <Form server={undefined} {...props} />;

/** The form of one server, which may not be among those that are shown. */
export function EditServer({ id, ...rest }: Props & { id: string }) {
  const { data, error, isFetching, refetch } = serversApi.useServerQuery(id, { refetchOnMountOrArgChange: true });
  if (data?.id === id) return <Form key={id} server={data} {...rest} />;
  const sentence = failedBy(error, 'Impossible de lire ce serveur.');
  return (
    <FormDialog title="Modifier le serveur" onClose={rest.onClose}>
      <div className={styles['content']}>
        {sentence === undefined ? (
          <Skeleton rows={5} height={64} />
        ) : (
          <Failure sentence={sentence}>
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              Réessayer
            </Button>
          </Failure>
        )}
      </div>
    </FormDialog>
  );
}
