import { Button } from '@mantine/core';
import { SaveNotifications } from '@vigie/contracts/notifications';
import { type FormEvent, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { LeaveGuard } from '../../ui/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';
import styles from './Page.module.css';

const failed = "Échec de l'enregistrement.";

function DeleteKey({ onClose }: { onClose: () => void }) {
  const [saveKey, { isLoading }] = notificationsApi.useSaveKeyMutation();
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    const { error } = await saveKey({ sendgrid_api_key: null });
    if (error) return setFailure(tellFailure(error, failed));
    toast.success('Clé SendGrid supprimée.');
    onClose();
  };
  return (
    <ConfirmDialog
      title={'Supprimer la clé SendGrid\u202f?'}
      action="Supprimer la clé"
      isBusy={isLoading}
      failure={failure}
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
    const checked = SaveNotifications.safeParse({ sendgrid_api_key: key });
    if (!checked.success) return setError(checked.error.issues[0]?.message);
    // Left empty it keeps the one there is.
    const { error: refusal } = await saveKey({ sendgrid_api_key: key.trim() });
    if (refusal) return setError(tellFailure(refusal, failed));
    toast.success(key.trim() === '' ? 'Clé SendGrid conservée.' : 'Clé SendGrid enregistrée.');
    // What was typed meanwhile is another key.
    setKey((typed) => (typed === key ? '' : typed));
  };
  const type = (text: string) => {
    setKey(text);
    setError(undefined);
  };
  return { key, error, isSaving: isLoading, type, save };
}

/** The key is written, never read: what is stored shows as dots only. */
export function KeyForm({ hasKey }: { hasKey: boolean }) {
  const { key, error, isSaving, type, save } = useKey(hasKey);
  const [isAsking, setAsking] = useState(false);
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
        onChange={(event) => type(event.currentTarget.value)}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSaving}>
          Enregistrer la clé
        </Button>
        {hasKey && (
          <Button variant="default" color="danger" onClick={() => setAsking(true)}>
            Supprimer la clé
          </Button>
        )}
      </div>
      {isAsking && <DeleteKey onClose={() => setAsking(false)} />}
      <LeaveGuard isDirty={key !== ''} />
    </form>
  );
}
