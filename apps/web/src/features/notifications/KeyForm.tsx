import { Button } from '@mantine/core';
import { SaveNotifications } from '@vigie/contracts/notifications';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';
import styles from './Page.module.css';

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
      <p>Les emails partiront par SMTP si cette installation en a un, sinon ils ne partiront plus.</p>
    </ConfirmDialog>
  );
}

function useKey(hasKey: boolean) {
  const [saveKey, { isLoading }] = notificationsApi.useSaveKeyMutation();
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const save = async () => {
    if (key.trim() === '' && !hasKey) return setError('Saisissez une clé SendGrid.');
    const parsed = SaveNotifications.safeParse({ sendgrid_api_key: key });
    if (!parsed.success) return setError(parsed.error.issues[0]?.message);
    // An empty key tells the server to keep the stored one.
    const { error: refusal } = await saveKey({ sendgrid_api_key: key.trim() });
    if (refusal) return setError(sentenceOf(refusal));
    toast.success(key.trim() === '' ? 'Clé SendGrid conservée.' : 'Clé SendGrid enregistrée.');
    // The user may have typed another key while this one was being saved.
    setKey((current) => (current === key ? '' : current));
  };
  const changeKey = (text: string) => {
    setKey(text);
    setError(undefined);
  };
  return { key, error, isSaving: isLoading, changeKey, save };
}

/** The server never returns the stored key: the field shows dots in its place. */
export function KeyForm({ hasKey }: { hasKey: boolean }) {
  const { key, error, isSaving, changeKey, save } = useKey(hasKey);
  const [isDeleting, setDeleting] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return (
    <form noValidate onSubmit={submit} className={styles['form']}>
      <LineField
        name="sendgrid_api_key"
        label="Clé SendGrid"
        placeholder={hasKey ? '••••••••' : 'SG.…'}
        description={hasKey ? 'Laissez le champ vide pour garder la clé enregistrée.' : undefined}
        maxLength={256}
        value={key}
        error={error}
        onChange={(event) => changeKey(event.currentTarget.value)}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSaving}>
          Enregistrer la clé
        </Button>
        {hasKey && (
          <Button variant="default" color="danger" onClick={() => setDeleting(true)}>
            Supprimer la clé
          </Button>
        )}
      </div>
      {isDeleting && <DeleteKey onClose={() => setDeleting(false)} />}
      <LeaveGuard isDirty={key !== ''} />
    </form>
  );
}
