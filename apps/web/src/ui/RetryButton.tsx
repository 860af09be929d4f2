import { Button } from '@mantine/core';

type Props = { className?: string; isAsking?: boolean; onRetry: () => unknown };

/** Asks again for what could not be read. */
export const RetryButton = ({ className = '', isAsking = false, onRetry }: Props) => (
  <Button variant="default" className={className} loading={isAsking} onClick={() => void onRetry()}>
    Réessayer
  </Button>
);
