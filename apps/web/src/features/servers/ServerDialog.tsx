import { Stack, Text } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { failureMessage } from '../../kit/query/failures';
import { GroupsField } from '../../kit/fleet/GroupsField';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { DialogLoading, FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { toast } from '../../ui/toasts';
import { useReturnFocus } from '../../ui/focus';
import { ServerFields } from './ServerFields';
import { serversApi } from './servers.api';
import styles from './servers.module.css';
import { type Saved, useServerForm, type ServerForm } from './useServerForm';
import { FileKey, RectangleEllipsis, Sparkles } from 'lucide-react';
import { AccessPassword, PrivateKeyFields } from '../../kit/form/AccessFields';
import { Choices } from '../../ui/Choices';
import { needsPassword } from './values';

const generatedKey = { value: 'made', label: 'Clé créée par Vigie', icon: Sparkles } as const;
const password = { value: 'password', label: 'Mot de passe', icon: RectangleEllipsis } as const;
const key = { value: 'key', label: 'Clé privée', icon: FileKey } as const;

/** Shows only the secret of the chosen authentication method. */
function AuthFields({ form }: { form: ServerForm }) {
  const { server, values, change } = form;
  const choices = server
    ? server.has_password
      ? [password, key, generatedKey]
      : [key, password]
    : [generatedKey, password, key];
  return (
    <Stack gap={12}>
      <Choices
        legend="Authentification"
        choices={choices}
        value={values.method}
        onChange={(method) => change({ method })}
      />
      {values.method === 'password' && (
        <AccessPassword
          form={form}
          isStored={server?.has_password === true}
          hasNewAddress={needsPassword(server, values)}
        />
      )}
      {values.method === 'key' && (
        <PrivateKeyFields
          form={form}
          storedHint={server?.has_password === false ? 'Laissez vide pour garder la clé enregistrée.' : undefined}
        />
      )}
      {values.method === 'made' && (
        <Text c="muted">
          {server
            ? 'Le mot de passe enregistré sera oublié. La clé publique de ce serveur, et la ligne à y exécuter, s’affichent ensuite.'
            : 'Vigie crée une paire de clés pour ce serveur. La clé publique, et la ligne à exécuter sur le serveur, s’affichent ensuite.'}
        </Text>
      )}
    </Stack>
  );
}

type Props = { onSaved: (saved: Saved) => void; onClose: () => void };

function Form({ server, onSaved, onClose }: Props & { server: Server | undefined }) {
  const form = useServerForm(server, (saved) => {
    toast.success(saved.isNew ? `Serveur ${saved.server.name} ajouté.` : `Serveur ${saved.server.name} enregistré.`);
    onSaved(saved);
  });
  return (
    <>
      <FormDialog title={server ? `Modifier ${server.name}` : 'Ajouter un serveur'} onClose={onClose}>
        <DialogForm
          className={styles['form']}
          action={server ? 'Enregistrer' : 'Ajouter le serveur'}
          call={form.call}
          failure={form.errors.form}
          onSubmit={form.save}
          onCancel={onClose}
        >
          <ServerFields form={form} />
          <GroupsField
            owner={server?.owner_id}
            value={form.values.groups}
            onChange={(groups) => form.change({ groups })}
          />
          <AuthFields form={form} />
        </DialogForm>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy(server)} />
    </>
  );
}

const isClosedBy = (server: Server | undefined) => (search: Record<string, unknown>) =>
  server ? search['edit'] !== server.id : search['add'] !== true;

export const AddServer = (props: Props) => <Form server={undefined} {...props} />;

/** Loads the server itself: the list may not have it. */
export function EditServer({ id, ...rest }: Props & { id: string }) {
  const answer = serversApi.useServerQuery({ id }, { refetchOnMountOrArgChange: true });
  const { data, error } = answer;
  // The form replaces the waiting dialog: only this component knows where the focus came from.
  useReturnFocus();
  if (data?.id === id) return <Form key={id} server={data} {...rest} />;
  const sentence = failureMessage(error, 'Impossible de lire ce serveur.');
  return <DialogLoading title="Modifier le serveur" answer={answer} failure={sentence} onClose={rest.onClose} />;
}
