import type { JobTicket } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { reportFailure } from '../query/failures';
import { useFollowBatch } from './useStartedJobs';

type TestRequest = { ids?: readonly string[] };
type SendTests = (request: TestRequest) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Starts a batch of connection tests, which the dock then shows. */
export function useTests([send, { isLoading }]: readonly [ask: SendTests, state: { isLoading: boolean }]) {
  const follow = useFollowBatch();
  const [failure, setFailure] = useState<string>();
  const run = async (ids: readonly string[] | undefined): Promise<void> => {
    const form = ids ? { ids } : {};
    setFailure(undefined);
    const { data, error } = await send(form);
    if (!data) return setFailure(reportFailure(error, 'Les tests n’ont pas pu être lancés.'));
    follow(data.job_id);
  };
  return { isBusy: isLoading, failure, run: (ids?: readonly string[]) => void run(ids) };
}
