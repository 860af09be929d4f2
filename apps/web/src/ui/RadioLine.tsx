import { Group, type MantineSpacing } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import styles from './RadioLine.module.css';

type Props = Omit<ComponentProps<'input'>, 'type'> & { p: MantineSpacing; children: ReactNode };

/** One choice of a list, described in a few lines. */
export const RadioLine = ({ p, children, ...input }: Props) => (
  <Group component="label" align="flex-start" wrap="nowrap" gap={10} p={p} className={styles['line'] ?? ''}>
    <input type="radio" {...input} />
    <span>{children}</span>
  </Group>
);
