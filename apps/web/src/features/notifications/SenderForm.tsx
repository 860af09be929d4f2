import { Button } from '@mantine/core';
import { TestNotifications } from '@vigie/contracts/notifications';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { announceSettings } from '../../ui/brand';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';
import styles from './Page.module.css';

/** Returns undefined where the text is no email address. */
export const parseAddress = (text: string): string | undefined =>
  TestNotifications.safeParse({ from: text }).data?.from ?? undefined;

type Values = { sender: string };

export const useSenderForm = (stored: string) =>
  useDraftForm<Values>({
    name: 'sender',
    initial: { sender: stored },
    normalize: ({ sender }) => ({ sender: sender.trim() }),
    validate: ({ sender }) =>
      parseAddress(sender) === undefined ? { sender: 'Renseignez une adresse expéditeur valide.' } : {},
  });

export function SenderForm({ form }: { form: ReturnType<typeof useSenderForm> }) {
  const [saveSender, { isLoading }] = notificationsApi.useSaveSenderMutation();
  const save = async (values: Values) => {
    if (isLoading) return;
    const { data, error } = await saveSender({ default_sender_email: parseAddress(values.sender) });
    if (!data) return form.refuse('sender', sentenceOf(error));
    announceSettings(data);
    form.clearSent(values);
    toast.success('Expéditeur enregistré.');
  };
  return (
    <form noValidate onSubmit={form.submit(save)} className={styles['form']}>
      <LineField
        type="email"
        inputMode="email"
        label="Adresse expéditeur"
        description="Le domaine de cette adresse doit autoriser le service d’envoi (SPF, DKIM)."
        maxLength={254}
        {...form.field('sender')}
        name="default_sender_email"
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isLoading}>
          Enregistrer l’expéditeur
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty} />
    </form>
  );
}
