import { Button, Group, Stack } from '@mantine/core';
import { TestNotifications } from '@vigie/contracts/notifications';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { announceSettings } from '../../ui/brand';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';

/** Returns undefined where the text is no email address. */
export const parseAddress = (text: string): string | undefined =>
  TestNotifications.safeParse({ from: text }).data?.from ?? undefined;

type Values = { default_sender_email: string };

const invalidSender = { default_sender_email: 'Renseignez une adresse expéditeur valide.' };

export const useSenderForm = (stored: string) =>
  useDraftForm<Values>({
    name: 'sender',
    initial: { default_sender_email: stored },
    normalize: ({ default_sender_email: sender }) => ({ default_sender_email: sender.trim() }),
    validate: ({ default_sender_email: sender }) => (parseAddress(sender) === undefined ? invalidSender : {}),
  });

export function SenderForm({ form }: { form: ReturnType<typeof useSenderForm> }) {
  const [saveSender, { isLoading }] = notificationsApi.useSaveSenderMutation();
  const save = async (values: Values) => {
    if (isLoading) return;
    const { data, error } = await saveSender({ default_sender_email: parseAddress(values.default_sender_email) });
    if (!data) return form.refuse('default_sender_email', sentenceOf(error));
    announceSettings(data);
    form.clearSent(values);
    toast.success('Expéditeur enregistré.');
  };
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <Stack gap={12}>
        <LineField
          type="email"
          inputMode="email"
          label="Adresse expéditeur"
          description="Le domaine de cette adresse doit autoriser le service d’envoi (SPF, DKIM)."
          maxLength={254}
          {...form.field('default_sender_email')}
        />
        <Group gap={8}>
          <Button type="submit" loading={isLoading}>
            Enregistrer l’expéditeur
          </Button>
        </Group>
      </Stack>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={({ tab }) => tab !== undefined} />
    </form>
  );
}
