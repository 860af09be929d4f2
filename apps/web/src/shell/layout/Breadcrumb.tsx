import { Box, Group, Text } from '@mantine/core';
import { Link, useMatches } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useSignal } from '../../ui/signal';
import { pageTitle } from '../../ui/pageTitle';
import styles from './menus.module.css';
import widths from '../../ui/widths.module.css';

export function Breadcrumb() {
  const pageName = useSignal(pageTitle);
  const matches = useMatches();
  const leaf = matches.at(-1);
  if (!leaf?.staticData.title) return null;
  const { title, parent } = leaf.staticData;
  return (
    <Box
      component="nav"
      aria-label="Fil d’Ariane"
      className={widths['fromTablet'] ?? ''}
      miw={0}
      pl={12}
      c="muted"
      fw={500}
    >
      <Group gap={16} wrap="nowrap" className={styles['trail']}>
        <Group component="ol" gap={6} wrap="nowrap" miw={0}>
          {parent && (
            <Group component="li" gap={6} wrap="nowrap" flex="none">
              <Link to={parent.to} activeOptions={{ exact: true }} className={styles['crumb']}>
                {parent.title}
              </Link>
              <ChevronRight size={14} aria-hidden />
            </Group>
          )}
          <Text component="li" truncate aria-current="page">
            {pageName ?? title}
          </Text>
        </Group>
      </Group>
    </Box>
  );
}
