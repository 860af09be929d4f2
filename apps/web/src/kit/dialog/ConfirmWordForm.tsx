import { Button, Group, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type CallState, sentenceOf } from '../query/failures';
import dialog from './dialog.module.css';
import { labelRoom } from '../../ui/mantine';
import { Failure } from '../../ui/Failure';
import { confirmationError } from './confirmation-word';

type Props = {
  /** The word to type as a confirmation. */
  word: string;
  /** A verb: the label of the submit button. */
  action: string;
  call: CallState;
  children: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
};

/** The form of a dialog that is confirmed by typing a word. The focus starts on the cancel button. */
export function ConfirmWordForm({ word, action, call, children, onConfirm, onCancel }: Props) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === word && !call.isLoading) onConfirm();
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className={dialog['content']}>{children}</div>
      <div className={dialog['foot']}>
        <Failure sentence={sentenceOf(call.error)} />
        <Group align="flex-start" gap="12px 16px">
          <TextInput
            label={`Tapez ${word} pour confirmer`}
            flex="1 1 240px"
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            value={typed}
            error={confirmationError(word, typed)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap={8} flex={{ base: '1 1 100%', sm: 'none' }} mt={labelRoom} ml="auto">
            <Button variant="default" data-autofocus onClick={onCancel}>
              Annuler
            </Button>
            <Button type="submit" color="danger" disabled={typed !== word} loading={call.isLoading}>
              {action}
            </Button>
          </Group>
        </Group>
      </div>
    </form>
  );
}
