import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { ChevronDown } from 'lucide-react';

/** A native select in our style. */
export const SelectField = (props: NativeSelectProps) => (
  <NativeSelect
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    rightSection={<ChevronDown size={16} aria-hidden />}
    rightSectionWidth={32}
    {...props}
  />
);
