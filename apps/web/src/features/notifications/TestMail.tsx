import { Button, Stack } from '@mantine/core';
import { Send } from 'lucide-react';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { toast } from '../../ui/toasts';
import { notificationsApi } from './notifications.api';

type Props = {
  to: string | undefined;
  /** The sender to test: only an administrator may test one before saving it. */
  from: string | undefined;
};

export function TestMail({ to, from }: Props) {
  const [send, { data, isLoading, error }] = notificationsApi.useTestNotificationsMutation();
  const test = async () => {
    const { data: sent } = await send(from === undefined ? {} : { from });
    if (sent) toast.success(sent.message);
  };
  return (
    <Stack gap={12}>
      <p>
        Un message est envoyé à <strong>{to ?? 'votre adresse'}</strong>
        {from !== undefined && (
          <>
            , de la part de <strong>{from}</strong>
          </>
        )}
        .
      </p>
      <Button
        variant="default"
        w="fit-content"
        loading={isLoading}
        leftSection={<Send size={16} aria-hidden />}
        onClick={() => void test()}
      >
        Envoyer un email de test
      </Button>
      <output>{data && !isLoading && <Callout tone="ok">{data.message}</Callout>}</output>
      <Failure sentence={sentenceOf(error)} />
    </Stack>
  );
}
