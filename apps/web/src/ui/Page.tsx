import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  lead: ReactNode;
  /** The main action of the screen. */
  action?: ReactNode;
  /** In pixels, for forms and widgets; tables take the whole width. */
  maxWidth?: number;
  children: ReactNode;
};

export const PageHead = ({ children }: { children: ReactNode }) => (
  <Group component="header" align="flex-start" justify="space-between" gap={12}>
    {children}
  </Group>
);

/** A screen under its title. */
export const Page = ({ title, lead, action, maxWidth, children }: Props) => (
  <Stack gap={16} maw={maxWidth}>
    <PageHead>
      <div>
        <h1>{title}</h1>
        <Text c="muted">{lead}</Text>
      </div>
      {action}
    </PageHead>
    {children}
  </Stack>
);
