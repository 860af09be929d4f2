import { Button, Loader, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { AdminUser } from '@vigie/contracts/users';
import { Check, RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { nameOf } from '../../kit/fleet/users';
import { usersApi } from './users.api';
import styles from './users.module.css';

const names = {
  first_name: { label: 'Prénom', empty: 'Le prénom ne peut pas être vide.' },
  last_name: { label: 'Nom', empty: 'Le nom ne peut pas être vide.' },
};
const savedMs = 3_000;

type Props = { user: AdminUser; field: keyof typeof names; isInTable?: boolean };
type State = 'idle' | 'saving' | 'saved' | 'empty' | 'failed';

function useName({ user, field }: Props) {
  const [editUser, call] = usersApi.useEditUserMutation();
  /** The typed name; undefined while the field shows the stored one. */
  const [draft, setDraft] = useState<string>();
  const [state, setState] = useState<State>('idle');
  useEffect(() => {
    if (state !== 'saved') return undefined;
    const timer = setTimeout(() => setState('idle'), savedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const stored = user[field] ?? '';
  const showStored = (next: State) => {
    setDraft(undefined);
    setState(next);
  };
  const save = async (): Promise<void> => {
    const name = draft?.trim();
    if (name === undefined || state === 'saving') return;
    if (name === stored) return showStored('idle');
    if (name === '') return setState('empty');
    setState('saving');
    const { error } = await editUser({ id: user.id, [field]: name });
    if (error) setState('failed');
    else showStored('saved');
  };
  const changeName = (text: string) => {
    setDraft(text);
    setState('idle');
  };
  return {
    value: draft ?? stored,
    state,
    failure: sentenceOf(call.error),
    changeName,
    save,
    restore: () => showStored('idle'),
  };
}

function StateIcon({ state }: { state: State }) {
  if (state === 'saving') return <Loader size={14} aria-hidden />;
  return <Check size={16} color="var(--ok)" aria-hidden />;
}

const hasStateIcon = (state: State) => state === 'saving' || state === 'saved';

const announcements: Partial<Record<State, string>> = { saving: 'Enregistrement…', saved: 'Enregistré.' };

/** Saves on blur or Enter; Escape restores the stored name. */
export function NameField(props: Props) {
  const { user, field, isInTable = false } = props;
  const { value, state, failure, changeName, save, restore } = useName(props);
  const { label, empty } = names[field];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    restore();
  };
  return (
    <div className={isInTable ? styles['inTable'] : undefined}>
      <TextInput
        label={isInTable ? undefined : label}
        aria-label={isInTable ? `${label} de ${nameOf(user)}` : undefined}
        autoComplete="off"
        maxLength={100}
        value={value}
        readOnly={state === 'saving'}
        error={state === 'empty' ? empty : state === 'failed' && failure}
        rightSection={hasStateIcon(state) && <StateIcon state={state} />}
        onChange={(event) => changeName(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (state !== 'failed') void save();
        }}
      />
      {state === 'failed' && <RetrySave onClick={() => void save()} />}
      <output>
        <VisuallyHidden>{announcements[state]}</VisuallyHidden>
      </output>
    </div>
  );
}

const RetrySave = ({ onClick }: { onClick: () => void }) => (
  <Button
    variant="subtle"
    px={6}
    c="accent"
    fz={13}
    leftSection={<RotateCcw size={14} aria-hidden />}
    onClick={onClick}
  >
    Réessayer
  </Button>
);
