import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import styles from './ListFrame.module.css';
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
      <div className={styles['list']}>
        <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />
      </div>
    );
  }
  return (
    <>
      <Failure sentence={sentence}>{retryButton}</Failure>
      {tools}
      <div className={styles['list']}>{children}</div>
    </>
  );
}

type CountProps = { children: ReactNode; at: number | undefined };

/** The number of items, and the age of the data. */
export const ListCount = ({ children, at }: CountProps) => (
  <div className={styles['count']}>
    <output>{children}</output>
    {at !== undefined && (
      <>
        {' · Actualisé '}
        <TimeAgo at={new Date(at).toISOString()} often />
      </>
    )}
  </div>
);
