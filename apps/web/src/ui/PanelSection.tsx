import { Stack, type StackProps } from '@mantine/core';

/** A part of a side panel; a rule separates it from the one before. */
export const PanelSection = (props: StackProps & { component?: 'div' | 'section' }) => (
  <Stack component="section" gap={14} p="20px var(--gutter)" variant="section" {...props} />
);
