import { Button, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useFocusOnMount } from '../../ui/focus';
import { FailureNote } from './LoginFields';
import type { Failure } from './login';

type Props = { failure: Failure | undefined; isAsking: boolean; onAsk: () => void; onCancel: () => void };

/** A passkey in place of the code. */
export function PasskeyForm({ failure, isAsking, onAsk, onCancel }: Props) {
  const first = useFocusOnMount<HTMLButtonElement>();
  return (
    <Stack>
      <FailureNote failure={failure} />
      <Text c="muted">Votre navigateur vous demandera votre empreinte, votre visage ou le code de l’appareil.</Text>
      <Group gap={8} mt={8} wrap="nowrap">
        <Button
          ref={first}
          flex={1}
          leftSection={<KeyRound size={16} aria-hidden />}
          loading={isAsking}
          onClick={onAsk}
        >
          Utiliser une clé d’accès
        </Button>
        <Button variant="default" onClick={onCancel}>
          Annuler
        </Button>
      </Group>
    </Stack>
  );
}
