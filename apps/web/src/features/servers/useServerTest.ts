import { ServerTest } from '@vigie/contracts/servers';
import { useDispatch } from 'react-redux';
import { describeFailure } from '../../kit/diagnosis/failure';
import { awaitEnd, useDiagnosis } from '../../kit/diagnosis/useDiagnosis';
import type { store } from '../../kit/store';
import { toast } from '../../ui/toasts';
import { statusApi } from './servers.api';

function spell({ stdout }: ServerTest): string {
  const [first = ''] = stdout.trim().split('\n');
  return first === '' ? 'Connexion OK' : `Connexion OK • ${first}`;
}

const fetchOnce = { subscribe: false, forceRefetch: true };

/** Runs the connection test of the server of the page. */
export function useServerTest(search: { open: string; test: string | undefined }, follow: (test: string) => void) {
  const dispatch = useDispatch<typeof store.dispatch>();
  const mutation = statusApi.useTestServerMutation();
  const test = {
    mutation,
    read: (result: unknown) => ServerTest.safeParse(result).data,
    ownerOf: (job: { server_id: string | null }) => job.server_id,
    spell,
    onEnd: (id: string) => void dispatch(statusApi.endpoints.statuses.initiate({ ids: id, fresh: '1' }, fetchOnce)),
  };
  return useDiagnosis<ServerTest>(search, test, follow);
}

export type ServerDiagnosis = ReturnType<typeof useServerTest>;

/** The job of the latest test of a server. */
export function useLastTest(id: string): string | undefined {
  const { currentData } = statusApi.useServerJobsQuery(id, { refetchOnMountOrArgChange: true });
  return currentData?.find(({ kind }) => kind === 'servers.test')?.id;
}

/** Starts a test whose end the page of the server tells. Resolves to its job, or to undefined when it was refused. */
export function useTestStart() {
  const [send, { error }] = statusApi.useTestServerMutation();
  const start = async (id: string): Promise<string | undefined> => {
    const { data, error: refusal } = await send({ id });
    if (data) awaitEnd(data.job_id);
    else {
      const { sentence, details } = describeFailure({ error: refusal });
      toast.error(sentence, details);
    }
    return data?.job_id;
  };
  return { start, failure: error === undefined ? undefined : describeFailure({ error }).sentence };
}
