import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';

/** A line that is taken as it is typed: nothing completes or corrects it. */
export const LineField = (props: TextInputProps) => (
  <TextInput
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);
