import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { Ref } from 'react';

type Props = {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onLeave: () => void;
  ref?: Ref<HTMLInputElement>;
};

export const EmailField = ({ onChange, onLeave, ...rest }: Props) => (
  <TextInput
    name="email"
    type="email"
    inputMode="email"
    label="Email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    onChange={(event) => onChange(event.currentTarget.value)}
    onBlur={onLeave}
    {...rest}
  />
);
