import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';

/** A field for a short code, with room between its characters. */
export const CodeField = ({ maxWidth, ...props }: TextInputProps & { maxWidth?: number }) => (
  <TextInput
    spellCheck={false}
    styles={{ input: { maxWidth, fontFamily: 'var(--mono)', fontSize: 18, letterSpacing: '0.2em' } }}
    {...props}
  />
);
