import { Group } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './Card';
import { EmptyState } from './EmptyState';
import { Failure } from './Failure';
import { RetryButton } from './RetryButton';
import { Skeleton } from './Skeleton';

type Answer = { data?: unknown; isFetching: boolean; refetch: () => unknown };
type Props = {
  /** Also the hash of its address. */
  id: string;
  title: string;
  answer: Answer;
  /** Why the last refresh failed. */
  sentence: string | undefined;
  tools?: ReactNode;
  /** The number of placeholder rows. */
  rows?: number;
  children: ReactNode;
};

/** A part of a screen that loads and fails on its own, and keeps its last data. */
export function Widget({
  id,
  title,
  answer: { data, isFetching, refetch },
  sentence,
  tools,
  rows = 4,
  children,
}: Props) {
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refetch} />;
  const hasData = data !== undefined;
  return (
    <Card component="section" id={id} aria-labelledby={`${id}-title`} miw={0}>
      <Group
        justify="space-between"
        gap="8px 16px"
        mih={52}
        p="8px var(--gutter)"
        style={{ borderBottom: '1px solid var(--border)' }}
      >
        <h2 id={`${id}-title`}>{title}</h2>
        {tools}
      </Group>
      {hasData && <Failure sentence={sentence}>{retryButton}</Failure>}
      {!hasData && sentence === undefined && <Skeleton rows={rows} height={44} />}
      {!hasData && sentence !== undefined && <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />}
      {hasData && children}
    </Card>
  );
}
