import { Group, Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Card } from '../../ui/Card';

type Props = {
  title: ReactNode;
  /** Set when the title takes the focus of the step before. */
  heading?: Ref<HTMLHeadingElement>;
  role?: 'alert';
  children: ReactNode;
};

/** One step of the screen, under its title. */
export const StepCard = ({ title, heading, role, children }: Props) => (
  <Stack component={Card} role={role} p="var(--gutter)">
    <Group component="h2" gap="8px 12px" {...(heading && { ref: heading, tabIndex: -1 })} style={{ outline: 'none' }}>
      {title}
    </Group>
    {children}
  </Stack>
);
