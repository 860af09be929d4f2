import type { TokenScope } from '@vigie/contracts/token-scopes';
import { createToken } from '@vigie/contracts/tokens';
import { useState } from 'react';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { endOf } from './lifetimes';
import { tokensApi } from './tokens.api';

type Values = {
  name: string;
  scopes: readonly TokenScope[];
  groups: readonly string[];
  lifetime: string;
  date: string;
};

const initial: Values = { name: '', scopes: ['read'], groups: [], lifetime: '90', date: '' };

/** A date has a field only where one is chosen. */
function validate(values: Values): FormErrors<Values> {
  const { name, scopes } = values;
  const errors = schemaErrors(createToken.input.pick({ name: true, scopes: true }), values, { name, scopes });
  const date = createToken.input.shape.expires_at.safeParse(endOf(values)).error?.issues[0]?.message;
  return date === undefined ? errors : { ...errors, date };
}

/** The form of a new token, and the token once it exists. */
export function useTokenForm() {
  const [create, call] = tokensApi.useCreateTokenMutation();
  const [token, setToken] = useState<string>();
  const form = useDraftForm<Values>({ name: 'token', initial, validate });
  const save = async (values: Values) => {
    const { data } = await create({
      name: values.name,
      scopes: [...values.scopes],
      ...(values.groups.length > 0 && { group_ids: [...values.groups] }),
      expires_at: endOf(values),
    });
    if (data) setToken(data.token);
  };
  return { form, call, token, save: form.submit(save) };
}

export type TokenForm = ReturnType<typeof useTokenForm>['form'];
