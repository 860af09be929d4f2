import { Button, TextInput } from '@mantine/core';
import { RecoveryCode, TotpCode } from '@vigie/contracts/two-factor';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';
import { errorOf } from './fields';
import styles from './forms.module.css';
import { cleanBackup, cleanTotp } from './steps';

const kinds = {
  totp_code: {
    label: 'Code à 6 chiffres',
    hint: 'Ouvrez votre application d’authentification. Le code change toutes les 30 secondes.',
    clean: cleanTotp,
    schema: TotpCode,
    attributes: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  backup_code: {
    label: 'Code à 6 caractères',
    hint: 'L’un des codes enregistrés à l’activation. Chacun ne sert qu’une fois.',
    clean: cleanBackup,
    schema: RecoveryCode,
    attributes: { autoComplete: 'off', autoCapitalize: 'characters' },
  },
} as const;
export type CodeKind = keyof typeof kinds;

type Props = {
  kind: CodeKind;
  email: string;
  failure: Failure | undefined;
  isSending: boolean;
  onSubmit: (proof: Partial<Record<CodeKind, string>>) => void;
  onCancel: () => void;
};

function useCode({ kind, failure, isSending, onSubmit }: Omit<Props, 'email' | 'onCancel'>) {
  const { clean, schema } = kinds[kind];
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const lastSent = useRef<string>(undefined);
  // Selects a refused code, so that the next one replaces it.
  useEffect(() => {
    field.current?.focus();
    if (failure) field.current?.select();
  }, [failure]);
  const send = (text: string) => {
    if (isSending) return;
    // Does not send a refused code again: each refusal uses up an attempt.
    if (failure?.isRejected && text === lastSent.current) {
      field.current?.select();
      return;
    }
    lastSent.current = text;
    const invalid = errorOf(schema, text);
    setError(invalid);
    if (invalid === undefined) onSubmit({ [kind]: text });
    else field.current?.focus();
  };
  const change = (text: string) => {
    const next = clean(text);
    setCode(next);
    setError(undefined);
    if (kind === 'totp_code' && next.length === 6 && next !== code) send(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };
  return { field, code, error, change, submit };
}

export function CodeForm({ email, onCancel, ...form }: Props) {
  const { kind, failure, isSending } = form;
  const { label, hint, attributes } = kinds[kind];
  const { field, code, error, change, submit } = useCode(form);
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={submit}>
      <FailureNote failure={failure} />
      {/* Tells a password manager which account the code belongs to. */}
      <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
      <TextInput
        ref={field}
        name={kind}
        label={label}
        description={hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={styles['code']}
        spellCheck={false}
        readOnly={isSending}
        value={code}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
        {...attributes}
      />
      <div className={styles['actions']}>
        <Button type="submit" loading={isSending} className={styles['submit']}>
          Vérifier
        </Button>
        <Button variant="default" onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
