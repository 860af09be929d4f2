import { Button, PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import { Eye, EyeOff, OctagonX } from 'lucide-react';
import type { FormEvent, KeyboardEvent } from 'react';
import { useState } from 'react';
import type { Credentials, FieldErrors } from './fields';
import styles from './LoginForm.module.css';
import { Wait } from './Wait';

export type LoginFailure = { sentence: string; retryAfter: number | undefined };

type Props = {
  values: Credentials;
  errors: FieldErrors;
  failure: LoginFailure | undefined;
  isSending: boolean;
  onChange: (field: keyof Credentials, value: string) => void;
  onLeave: (field: keyof Credentials) => void;
  onSubmit: () => void;
  onCancel: () => void;
};

function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const watch = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return { isOn, onKeyDown: watch, onKeyUp: watch, onBlur: () => setOn(false) };
}

const VisibilityIcon = ({ reveal }: { reveal: boolean }) =>
  reveal ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />;

function PasswordField({ values, errors, onChange, onLeave }: Props) {
  const [isShown, setShown] = useState(false);
  const { isOn, onBlur, ...capsLock } = useCapsLock();
  return (
    <PasswordInput
      name="password"
      label="Mot de passe"
      autoComplete="current-password"
      value={values.password}
      error={errors.password}
      description={isOn ? 'La touche Verr. Maj est active.' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleIcon={VisibilityIcon}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? 'Masquer le mot de passe' : 'Afficher le mot de passe',
        'aria-hidden': false,
        tabIndex: 0,
      }}
      onChange={(event) => onChange('password', event.currentTarget.value)}
      onBlur={() => {
        onBlur();
        onLeave('password');
      }}
      {...capsLock}
    />
  );
}

export function LoginForm(props: Props) {
  const { values, errors, failure, isSending, onChange, onLeave, onSubmit, onCancel } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={submit}>
      <div role="alert">
        {failure && (
          <p className={styles['failure']}>
            <OctagonX size={16} aria-hidden />
            {failure.sentence}
          </p>
        )}
      </div>
      {failure?.retryAfter !== undefined && <Wait key={failure.retryAfter} seconds={failure.retryAfter} />}
      <TextInput
        name="email"
        type="email"
        inputMode="email"
        label="Email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={values.email}
        error={errors.email}
        onChange={(event) => onChange('email', event.currentTarget.value)}
        onBlur={() => onLeave('email')}
      />
      <PasswordField {...props} />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} className={styles['submit']}>
          Se connecter
        </Button>
        <Button variant="default" onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
