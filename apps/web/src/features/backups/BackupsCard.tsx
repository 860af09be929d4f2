import { Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Card } from '../../ui/Card';

export const BackupsCard = ({ children, ...rest }: ComponentProps<'section'>) => (
  <Card component="section" {...rest}>
    <Stack gap={16} p={{ base: 16, sm: '16px 20px 20px' }}>
      {children}
    </Stack>
  </Card>
);
