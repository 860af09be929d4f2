import { Box } from '@mantine/core';
import { failureReason } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { KeyLines } from '../../ui/KeyLines';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { serversApi } from './servers.api';

export const keyFailed = "Impossible d'obtenir la clé publique.";

export function PublicKey({ id, user }: { id: string; user: string }) {
  const { data, error, isFetching, refetch } = serversApi.usePublicKeyQuery({ id });
  if (data) return <KeyLines pubkey={data.pubkey} user={user} />;
  if (!error) return <Skeleton rows={2} height={72} />;
  return (
    <Failure sentence={failureReason(error, keyFailed)}>
      <Box mt={8}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Box>
    </Failure>
  );
}
