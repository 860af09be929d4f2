import { Box, type BoxProps } from '@mantine/core';

/** The initials of a user, in a disc that the props size. */
export const Initials = (props: BoxProps & { children: string }) => (
  <Box
    component="span"
    aria-hidden
    flex="none"
    ta="center"
    fw={600}
    c="accent"
    bg="var(--accent-tint)"
    bdrs="50%"
    {...props}
  />
);
