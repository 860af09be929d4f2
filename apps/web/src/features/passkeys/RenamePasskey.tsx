import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type Passkey, renamePasskey } from '@vigie/contracts/passkeys';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { toast } from '../../ui/toasts';
import { passkeysApi } from './passkeys.api';

const Name = renamePasskey.input.pick({ name: true });

type Props = { passkey: Passkey; onClose: () => void };

export function RenamePasskey({ passkey: { id, name: oldName }, onClose }: Props) {
  const [rename, call] = passkeysApi.useRenamePasskeyMutation();
  const form = useDraftForm({
    name: `passkey ${id}`,
    initial: { name: oldName },
    normalize: ({ name }) => ({ name: name.trim() }),
    validate: (values) => schemaErrors(Name, values),
  });
  const save = async ({ name }: { name: string }) => {
    const { data } = await rename({ id, name });
    if (!data) return;
    toast.success(`Clé d’accès renommée\u00a0: ${data.name}.`);
    onClose();
  };
  return (
    <FormDialog title="Renommer la clé d’accès" onClose={onClose}>
      <DialogForm action="Renommer" call={call} onSubmit={form.submit(save)} onCancel={onClose}>
        <TextInput data-autofocus label="Nom" maxLength={80} autoComplete="off" {...form.field('name')} />
      </DialogForm>
    </FormDialog>
  );
}
