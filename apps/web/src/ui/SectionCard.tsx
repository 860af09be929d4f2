import { Group, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Card } from './Card';

type Props = { title: string; aside?: ReactNode; children: ReactNode };

/** A framed part of a screen under its title. */
export function SectionCard({ title, aside, children }: Props) {
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading} miw={0} px={{ base: 16, sm: 20 }} py={16}>
      <Stack gap={12}>
        <Group justify="space-between" gap={8}>
          <h2 id={heading}>{title}</h2>
          {aside}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
