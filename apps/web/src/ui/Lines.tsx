import { Stack, type StackProps } from '@mantine/core';

/** A list with a rule between its lines. */
export const Lines = (props: StackProps & { component?: 'div' | 'ol' | 'ul' }) => (
  <Stack component="ul" gap={0} variant="lines" {...props} />
);
