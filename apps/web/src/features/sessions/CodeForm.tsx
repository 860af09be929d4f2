import { Button, Stack } from '@mantine/core';
import { RecoveryCode, TotpCode } from '@vigie/contracts/two-factor';
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react';
import { z } from 'zod';
import { AccountHint } from '../../kit/form/AccountHint';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { CodeField } from '../../ui/LineField';
import { FailureNote, SubmitRow } from './LoginFields';
import { type Failure, cleanBackup, cleanTotp } from './login';

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

const blank = { code: '' };

function useCode({ kind, failure, isSending, onSubmit }: Omit<Props, 'email' | 'onCancel'>) {
  const { clean, schema } = kinds[kind];
  const Code = z.object({ code: schema });
  const form = useDraftForm({
    name: kind,
    checksOnLeave: 'none',
    initial: blank,
    secrets: blank,
    validate: (typed) => schemaErrors(Code, typed),
  });
  const lastSent = useRef<string>(undefined);
  // Selects a refused code, so that the next one replaces it.
  const focus = useEffectEvent((refusal: unknown) => (refusal ? form.select('code') : form.focus('code')));
  useEffect(() => focus(failure), [failure]);
  const send = ({ code }: typeof blank) => {
    if (isSending) return;
    // Does not send a refused code again: each refusal uses up an attempt.
    if (failure?.isRejected && code === lastSent.current) return form.select('code');
    lastSent.current = code;
    onSubmit({ [kind]: code });
  };
  const submit = (event?: FormEvent) => form.submit(send)(event);
  const change = (text: string) => {
    const code = clean(text);
    const isComplete = kind === 'totp_code' && code.length === 6 && code !== form.values.code;
    form.change({ code });
    if (isComplete) submit();
  };
  return { field: form.field('code'), change, submit };
}

export function CodeForm({ email, onCancel, ...form }: Props) {
  const { kind, failure, isSending } = form;
  const { label, hint, attributes } = kinds[kind];
  const { field, change, submit } = useCode(form);
  return (
    <form noValidate method="post" onSubmit={submit}>
      <Stack>
        <FailureNote failure={failure} />
        <AccountHint email={email} />
        <CodeField
          {...field}
          name={kind}
          label={label}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          readOnly={isSending}
          onChange={(event) => change(event.currentTarget.value)}
          {...attributes}
        />
        <SubmitRow action="Vérifier" isSending={isSending}>
          <Button variant="default" onClick={onCancel}>
            Annuler
          </Button>
        </SubmitRow>
      </Stack>
    </form>
  );
}
