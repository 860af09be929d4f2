import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import dialog from './DialogForm.module.css';
import { Failure } from './Failure';
import { wordFault } from './typed-word';
import styles from './WordForm.module.css';

type Props = {
  /** What is typed before anything is done. */
  word: string;
  /** What is done, as a verb. */
  action: string;
  isBusy: boolean;
  failure: string | undefined;
  children: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
};

/** The form of a dialog whose answer is a word that is typed; the focus starts on the way out. */
export function WordForm({ word, action, isBusy, failure, children, onConfirm, onCancel }: Props) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === word && !isBusy) onConfirm();
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className={dialog['content']}>{children}</div>
      <div className={dialog['foot']}>
        <Failure sentence={failure} />
        <div className={styles['answer']}>
          <TextInput
            label={`Tapez ${word} pour confirmer`}
            className={styles['word'] ?? ''}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            value={typed}
            error={wordFault(word, typed)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <div className={styles['actions']}>
            <Button variant="default" data-autofocus onClick={onCancel}>
              Annuler
            </Button>
            <Button type="submit" color="danger" disabled={typed !== word} loading={isBusy}>
              {action}
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}
