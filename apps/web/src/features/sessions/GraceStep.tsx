import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';

type Props = {
  remaining: number;
  failure: Failure | undefined;
  isSending: boolean;
  onContinue: (isSettingUp: boolean) => void;
  onCancel: () => void;
};

/** The policy requires 2FA, but allows a few more logins without it. */
export function GraceStep({ remaining, failure, isSending, onContinue, onCancel }: Props) {
  const [isSettingUp, setSettingUp] = useState(false);
  const first = useFocusOnMount<HTMLButtonElement>();
  const continueWith = (choice: boolean) => {
    if (isSending) return;
    setSettingUp(choice);
    onContinue(choice);
  };
  return (
    <Stack>
      <FailureNote failure={failure} />
      <div role="alert">
        <Callout tone="warn">
          Il vous reste {plural(remaining, 'connexion', 'connexions')} sans 2FA. Ensuite, il faudra la configurer pour
          utiliser la console.
        </Callout>
      </div>
      <Stack gap={8} mt={8}>
        <Button ref={first} loading={isSending && isSettingUp} onClick={() => continueWith(true)}>
          Configurer la 2FA maintenant
        </Button>
        <Button variant="default" loading={isSending && !isSettingUp} onClick={() => continueWith(false)}>
          Passer cette fois
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Annuler
        </Button>
      </Stack>
    </Stack>
  );
}
