import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';

export const EmailField = (props: TextInputProps) => (
  <TextInput
    type="email"
    inputMode="email"
    label="Email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);
