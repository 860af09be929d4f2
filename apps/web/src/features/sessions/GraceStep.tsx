import { Button } from '@mantine/core';
import { useState } from 'react';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';
import styles from './forms.module.css';

type Props = {
  remaining: number;
  failure: Failure | undefined;
  isSending: boolean;
  onEnter: (isSettingUp: boolean) => void;
  onCancel: () => void;
};

/** The policy asks for a 2FA; it can wait a few times. */
export function GraceStep({ remaining, failure, isSending, onEnter, onCancel }: Props) {
  const [isSettingUp, setSettingUp] = useState(false);
  const first = useFocusOnMount<HTMLButtonElement>();
  const enter = (choice: boolean) => {
    if (isSending) return;
    setSettingUp(choice);
    onEnter(choice);
  };
  return (
    <div className={styles['form']}>
      <FailureNote failure={failure} />
      <div role="alert">
        <Callout tone="warn">
          Il vous reste {plural(remaining, 'connexion', 'connexions')} sans 2FA. Ensuite, il faudra la configurer pour
          utiliser la console.
        </Callout>
      </div>
      <div className={styles['choices']}>
        <Button ref={first} loading={isSending && isSettingUp} onClick={() => enter(true)}>
          Configurer la 2FA maintenant
        </Button>
        <Button variant="default" loading={isSending && !isSettingUp} onClick={() => enter(false)}>
          Passer cette fois
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </div>
  );
}
