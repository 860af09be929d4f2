import { Stack, type StackProps } from '@mantine/core';

type Props = StackProps & { component?: 'div' | 'ol' | 'ul'; isFramed?: boolean };

const frame = { bd: '1px solid var(--border)', bdrs: 'md' };

/** A list with a rule between its lines. */
export const Lines = ({ isFramed = false, ...rest }: Props) => (
  <Stack component="ul" gap={0} variant="lines" {...(isFramed && frame)} {...rest} />
);
