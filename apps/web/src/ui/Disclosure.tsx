import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Details that unfold under their name. */
export const Disclosure = ({ name, children }: { name: string; children: ReactNode }) => (
  <details>
    <Group component="summary" mih="var(--row)" c="muted">
      {name}
    </Group>
    {children}
  </details>
);
