import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';

/** A text field without autocompletion or correction. */
export const LineField = (props: TextInputProps) => (
  <TextInput
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

/** A field for a short code, with room between its characters. */
export const CodeField = ({ maxWidth, ...props }: TextInputProps & { maxWidth?: number }) => (
  <TextInput
    spellCheck={false}
    styles={{ input: { maxWidth, fontFamily: 'var(--mono)', fontSize: 18, letterSpacing: '0.2em' } }}
    {...props}
  />
);
