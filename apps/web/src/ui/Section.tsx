import { Stack, type StackProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Card } from './Card';
import styles from './Section.module.css';

type Props = { title: string; about?: ReactNode; children: ReactNode };

/** One subject of a settings screen: its description beside its fields. */
export function Section({ title, about, children }: Props) {
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading} p="var(--gutter)" className={styles['section']}>
      <div>
        <h2 id={heading}>{title}</h2>
        {about !== undefined && (
          <Stack gap={8} mt={4} c="muted">
            {about}
          </Stack>
        )}
      </div>
      <Stack gap={16} miw={0}>
        {children}
      </Stack>
    </Card>
  );
}

/** A part of a side panel; a rule separates it from the one before. */
export const PanelSection = (props: StackProps & { component?: 'div' | 'section' }) => (
  <Stack component="section" gap={14} p="20px var(--gutter)" variant="section" {...props} />
);
