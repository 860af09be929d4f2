import { Button } from '@mantine/core';

type Props = { className?: string; isBusy?: boolean; onRetry: () => unknown };

export const RetryButton = ({ className = '', isBusy = false, onRetry }: Props) => (
  <Button variant="default" className={className} loading={isBusy} onClick={() => void onRetry()}>
    Réessayer
  </Button>
);
