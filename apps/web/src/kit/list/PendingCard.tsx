import { CloudOff } from 'lucide-react';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { isApiError, serverMessage } from '../query/api-error';

type Props = { failure: string; error: unknown; isFetching: boolean; onRetry: () => void };

/** Takes the place of a form while its data load, or when they could not be read. */
export function PendingCard({ failure, error, isFetching, onRetry }: Props) {
  const retryButton = <RetryButton isBusy={isFetching} onRetry={onRetry} />;
  return (
    <Card>
      {error ? (
        <EmptyState icon={CloudOff} role="alert" title={failure} actions={retryButton}>
          {isApiError(error) && <p>{serverMessage(error)}</p>}
        </EmptyState>
      ) : (
        <Skeleton rows={6} height={64} />
      )}
    </Card>
  );
}
