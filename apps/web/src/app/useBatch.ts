import type { JobTicket } from '@vigie/contracts/jobs';
import { useNavigate } from '@tanstack/react-router';
import { tellFailure } from './tellFailure';
import { useIdempotencyKey } from './useIdempotencyKey';

type Search = { tache?: string | undefined };
type Asked = { ids?: readonly string[]; idempotencyKey: string };
type Ask = (asked: Asked) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Asks for the tests of many; the dock shows what comes of each. */
export function useBatch([ask, { isLoading }]: readonly [ask: Ask, state: { isLoading: boolean }]) {
  const { keyFor, renewKey } = useIdempotencyKey();
  const navigate = useNavigate();
  const run = async (ids: readonly string[] | undefined): Promise<void> => {
    const form = ids ? { ids } : {};
    const { data, error } = await ask({ ...form, idempotencyKey: keyFor(form) });
    if (!data) {
      tellFailure(error, 'Les tests n’ont pas pu être lancés.');
      return;
    }
    renewKey();
    const search = (shown: Search) => ({ ...shown, tache: data.job_id });
    await navigate({ to: '.', search, resetScroll: false });
  };
  return { isBusy: isLoading, run: (ids?: readonly string[]) => void run(ids) };
}
