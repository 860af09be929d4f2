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
