import { Box, Group } from '@mantine/core';
import { CircleCheck, Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Tone = 'danger' | 'warn' | 'info' | 'ok';

const icons: Record<Tone, LucideIcon> = { danger: OctagonX, warn: TriangleAlert, info: Info, ok: CircleCheck };

type Props = { tone: Tone; icon?: LucideIcon; children: ReactNode };

/** A message at the place it concerns. */
export function Callout({ tone, icon: Icon = icons[tone], children }: Props) {
  return (
    <Group
      align="flex-start"
      wrap="nowrap"
      gap={10}
      p="10px 12px"
      bdrs="sm"
      bg={`var(--${tone}-tint)`}
      c={`var(--${tone})`}
      fw={500}
    >
      <Icon size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Box miw={0}>{children}</Box>
    </Group>
  );
}
