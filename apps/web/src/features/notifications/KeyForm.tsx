import { Button, Group, Stack } from '@mantine/core';
import { SaveNotifications } from '@vigie/contracts/notifications';
import { useState } from 'react';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';

function DeleteKey({ onClose }: { onClose: () => void }) {
  const [saveKey, call] = notificationsApi.useSaveKeyMutation();
  const confirm = async () => {
    const { error } = await saveKey({ sendgrid_api_key: null });
    if (error) return;
    toast.success('Clé SendGrid supprimée.');
    onClose();
  };
  return (
    <ConfirmDialog
      title={'Supprimer la clé SendGrid\u202f?'}
      action="Supprimer la clé"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Les emails partiront par le serveur SMTP de cette installation. Si elle n’en a pas, aucun ne partira.</p>
    </ConfirmDialog>
  );
}

const blank = { sendgrid_api_key: '' };
const missingKey = { sendgrid_api_key: 'Saisissez une clé SendGrid.' };

const useKeyForm = (hasKey: boolean) =>
  useDraftForm({
    name: 'sendgrid-key',
    checksOnLeave: 'none',
    initial: blank,
    secrets: blank,
    validate: (values) =>
      values.sendgrid_api_key.trim() === '' && !hasKey ? missingKey : schemaErrors(SaveNotifications, values),
  });

/** The server never returns the stored key: the field shows dots in its place. */
export function KeyForm({ hasKey }: { hasKey: boolean }) {
  const [saveKey, { isLoading }] = notificationsApi.useSaveKeyMutation();
  const [isDeleting, setDeleting] = useState(false);
  const form = useKeyForm(hasKey);
  const save = async (values: typeof blank) => {
    const key = values.sendgrid_api_key.trim();
    if (isLoading) return;
    // An empty key tells the server to keep the stored one.
    const { error } = await saveKey({ sendgrid_api_key: key });
    if (error) return form.refuse('sendgrid_api_key', sentenceOf(error));
    toast.success(key === '' ? 'Clé SendGrid conservée.' : 'Clé SendGrid enregistrée.');
    form.clearSent(values);
  };
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <Stack gap={12}>
        <LineField
          label="Clé SendGrid"
          placeholder={hasKey ? '••••••••' : 'SG.…'}
          description={hasKey ? 'Laissez le champ vide pour garder la clé enregistrée.' : undefined}
          maxLength={256}
          {...form.field('sendgrid_api_key')}
        />
        <Group gap={8}>
          <Button type="submit" loading={isLoading}>
            Enregistrer la clé
          </Button>
          {hasKey && (
            <Button variant="default" color="danger" onClick={() => setDeleting(true)}>
              Supprimer la clé
            </Button>
          )}
        </Group>
      </Stack>
      {isDeleting && <DeleteKey onClose={() => setDeleting(false)} />}
      <LeaveGuard isDirty={form.isDirty} isClosedBy={({ tab }) => tab !== undefined} />
    </form>
  );
}
