import { useNavigate } from '@tanstack/react-router';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { statusApi } from './servers.api';

type Search = { tache?: string | undefined };

/** Asks for the tests of many; the dock shows what comes of each. */
export function useTests() {
  const [ask, { isLoading }] = statusApi.useTestServersMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const navigate = useNavigate();
  const run = async (ids: readonly string[] | undefined): Promise<void> => {
    const form = ids ? { ids } : {};
    const { data, error } = await ask({ ...form, idempotencyKey: keyFor(form) });
    if (error) {
      tellFailure(error, 'Les tests n’ont pas pu être lancés.');
      return;
    }
    renewKey();
    const search = (shown: Search) => ({ ...shown, tache: data.job_id });
    await navigate({ to: '.', search, resetScroll: false });
  };
  return { isBusy: isLoading, run: (ids?: readonly string[]) => void run(ids) };
}
