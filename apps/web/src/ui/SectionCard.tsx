import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Card } from './Card';

type Props = { title: string; about?: string | undefined; aside?: ReactNode; children: ReactNode };

/** A framed part of a screen under its title. */
export function SectionCard({ title, about, aside, children }: Props) {
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading} miw={0} px={{ base: 16, sm: 20 }} py={16}>
      <Stack gap={12}>
        <Group justify="space-between" gap={8}>
          <div>
            <h2 id={heading}>{title}</h2>
            {about !== undefined && <Text variant="note">{about}</Text>}
          </div>
          {aside}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
