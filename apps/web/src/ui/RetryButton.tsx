import { Button } from '@mantine/core';

type Props = { className?: string; isAsking?: boolean; onRetry: () => unknown };

export const RetryButton = ({ className = '', isAsking: isBusy = false, onRetry }: Props) => (
  <Button variant="default" className={className} loading={isBusy} onClick={() => void onRetry()}>
    Réessayer
  </Button>
);
