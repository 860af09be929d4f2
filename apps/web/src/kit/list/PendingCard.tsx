import { ReadFailed } from '../../ui/ReadFailed';
import { Card } from '../../ui/Card';
import { Skeleton } from '../../ui/Skeleton';
import { isApiError, serverMessage } from '../query/api-error';

type Props = { failure: string; error: unknown; isFetching: boolean; onRetry: () => void };

/** Takes the place of a form while its data load, or when they could not be read. */
export function PendingCard({ failure, error, isFetching, onRetry }: Props) {
  return (
    <Card>
      {error ? (
        <ReadFailed sentence={failure} isBusy={isFetching} onRetry={onRetry}>
          {isApiError(error) && <p>{serverMessage(error)}</p>}
        </ReadFailed>
      ) : (
        <Skeleton rows={6} height={64} />
      )}
    </Card>
  );
}
