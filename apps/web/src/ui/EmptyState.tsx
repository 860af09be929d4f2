import { Group, Stack, type StackProps, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './Card';

type Props = {
  icon: LucideIcon;
  title: string;
  /** Screen readers read it at once, when it replaces visible content. */
  role?: 'alert' | 'status';
  children?: ReactNode;
  actions?: ReactNode;
};

type MessageProps = Omit<Props, 'title'> & { heading: ReactNode } & Pick<StackProps, 'maw' | 'mx' | 'p'>;

const Message = ({ icon: Icon, heading, children, actions, ...rest }: MessageProps) => (
  <Stack align="center" gap={0} ta="center" {...rest}>
    <Card component="span" p={11} mb={16} radius="lg" c="muted" lh={0}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
    </Card>
    {heading}
    {children !== undefined && (
      <Stack gap={8} maw={480} mt={4} c="muted">
        {children}
      </Stack>
    )}
    {actions !== undefined && (
      <Group justify="center" gap={8} mt={16}>
        {actions}
      </Group>
    )}
  </Stack>
);

/** A message in place of a part of a screen. */
export const EmptyState = ({ title, ...props }: Props) => (
  <Message p="48px 16px" {...props} heading={<Text fw={600}>{title}</Text>} />
);

/** A message in place of a whole screen. */
export const Notice = ({ title, ...props }: Props) => (
  <Message maw={520} mx="auto" p="clamp(48px, 16vh, 160px) 0 48px" {...props} heading={<h1>{title}</h1>} />
);
