import { Button } from '@mantine/core';
import { TestNotifications } from '@vigie/contracts/notifications';
import { type FormEvent, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { announceSettings } from '../../ui/brand';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';
import styles from './Page.module.css';

/** Returns undefined where the text is no email address. */
export const parseAddress = (text: string): string | undefined =>
  TestNotifications.safeParse({ from: text }).data?.from ?? undefined;

type Props = { stored: string; sender: string; onChange: (sender: string) => void; onSaved: (sender: string) => void };

export function SenderForm({ stored, sender, onChange, onSaved }: Props) {
  const [saveSender, { isLoading }] = notificationsApi.useSaveSenderMutation();
  const [error, setError] = useState<string>();
  const save = async () => {
    const address = parseAddress(sender);
    if (address === undefined) return setError('Renseignez une adresse expéditeur valide.');
    const { data, error: refusal } = await saveSender({ default_sender_email: address });
    if (!data) return setError(reportFailure(refusal, "Échec de l'enregistrement."));
    announceSettings(data);
    onSaved(sender);
    toast.success('Expéditeur enregistré.');
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (parseAddress(sender) === undefined) event.currentTarget.querySelector('input')?.focus();
    if (!isLoading) void save();
  };
  return (
    <form noValidate onSubmit={submit} className={styles['form']}>
      <LineField
        name="default_sender_email"
        type="email"
        inputMode="email"
        label="Adresse expéditeur"
        description="Le domaine de cette adresse doit autoriser le service d’envoi (SPF, DKIM)."
        maxLength={254}
        value={sender}
        error={error}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isLoading}>
          Enregistrer l’expéditeur
        </Button>
      </div>
      <LeaveGuard isDirty={sender.trim() !== stored} />
    </form>
  );
}
