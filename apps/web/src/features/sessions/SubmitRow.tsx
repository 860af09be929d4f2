import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  /** A verb: the label of the submit button. */
  action: string;
  isSending: boolean;
  /** The other way out. */
  children: ReactNode;
};

/** The buttons under a form of the login. */
export const SubmitRow = ({ action, isSending, children }: Props) => (
  <Group gap={8} mt={8} wrap="nowrap">
    <Button type="submit" loading={isSending} flex={1}>
      {action}
    </Button>
    {children}
  </Group>
);
