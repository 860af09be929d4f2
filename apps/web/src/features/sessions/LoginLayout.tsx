import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { Logo } from '../../ui/Logo';
import { Lighthouse } from './Lighthouse';
import styles from './sessions.module.css';

type Props = { title: string; lead: string; children: ReactNode };

/** The layout of the pages that need no session. */
export function LoginLayout({ title, lead, children }: Props) {
  const brand = useBrand();
  return (
    <Box display="flex" mih="100dvh" bg="var(--surface)">
      <Lighthouse />
      <Stack component="main" align="center" gap={0} flex={1} miw={0} px="var(--gutter)">
        <Box
          w="100%"
          maw={360}
          mt={{ base: 0, sm: 'auto' }}
          mb="auto"
          pt={{ base: 40, sm: 48 }}
          pb={{ base: 24, sm: 48 }}
          className={styles['card']}
        >
          <Group gap={12} wrap="nowrap" mb={40} fz={20} lh="28px" fw={650} lts="-0.02em">
            <Logo size={32} />
            {brand.app_name}
          </Group>
          <Text component="h1" fz={24} lh="32px">
            {title}
          </Text>
          <Text c="muted" mt={4} mb={28}>
            {lead}
          </Text>
          {children}
        </Box>
        <Text component="footer" py={16} c="subtle" fz={12} lh="16px">
          {copyrightOf(brand)} · {version}
        </Text>
      </Stack>
    </Box>
  );
}
