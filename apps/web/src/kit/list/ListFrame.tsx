import { Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { TimeAgo } from '../../ui/TimeAgo';

type Props = {
  answer: { data?: unknown; sentence: string | undefined; isFetching: boolean; refresh: () => void };
  /** Shown above the list, unless the first load failed. */
  tools?: ReactNode;
  children: ReactNode;
};

/** A list with its tools. A failure replaces a list that was never read, and appears above one that was. */
export function ListFrame({ answer: { data, sentence, isFetching, refresh }, tools, children }: Props) {
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refresh} />;
  if (data === undefined && sentence !== undefined) {
    return (
      <Card>
        <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />
      </Card>
    );
  }
  return (
    <>
      <Failure sentence={sentence}>{retryButton}</Failure>
      {tools}
      <Card>{children}</Card>
    </>
  );
}

type CountProps = { children: ReactNode; at: number | undefined };

/** The number of items, and the age of the data. */
export const ListCount = ({ children, at }: CountProps) => (
  <Text component="div" mih={20} m="-4px 0 -8px" c="muted" fz={13}>
    <output>{children}</output>
    {at !== undefined && (
      <>
        {' · Actualisé '}
        <TimeAgo at={new Date(at).toISOString()} often />
      </>
    )}
  </Text>
);
