import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Card } from './Card';

type Props = { title: string; about?: string | undefined; aside?: ReactNode; children: ReactNode };

/** A framed part of a screen under its heading. */
export function TitledCard({ title, about, aside, children }: Props) {
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading} miw={0} p="14px var(--gutter) 18px">
      <Stack gap={14}>
        <Group justify="space-between" gap="4px 12px" mih={32}>
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
