import type { JobTicket } from '@vigie/contracts/jobs';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { tellFailure } from './tellFailure';
import { useIdempotencyKey } from './useIdempotencyKey';

type Search = { tache?: string | undefined };
type Asked = { ids?: readonly string[]; idempotencyKey: string };
type Ask = (asked: Asked) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Asks for the tests of many; the dock shows what comes of each. */
export function useBatch([ask, { isLoading }]: readonly [ask: Ask, state: { isLoading: boolean }]) {
  const { keyFor, renewKey } = useIdempotencyKey();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const run = async (ids: readonly string[] | undefined): Promise<void> => {
    const form = ids ? { ids } : {};
    setFailure(undefined);
    const { data, error } = await ask({ ...form, idempotencyKey: keyFor(form) });
    if (!data) return setFailure(tellFailure(error, 'Les tests n’ont pas pu être lancés.'));
    renewKey();
    const search = (shown: Search) => ({ ...shown, tache: data.job_id });
    await navigate({ to: '.', search, resetScroll: false });
  };
  return { isBusy: isLoading, failure, run: (ids?: readonly string[]) => void run(ids) };
}
