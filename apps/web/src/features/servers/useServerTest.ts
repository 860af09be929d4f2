import { ServerTest } from '@vigie/contracts/servers';
import { useDispatch } from 'react-redux';
import { useDiagnosis } from '../../kit/diagnosis/useDiagnosis';
import type { store } from '../../kit/store';
import type { ServersSearch } from './search';
import { statusApi } from './servers.api';

function spell({ stdout }: ServerTest): string {
  const [first = ''] = stdout.trim().split('\n');
  return first === '' ? 'Connexion OK' : `Connexion OK • ${first}`;
}

const fetchOnce = { subscribe: false, forceRefetch: true };

/** Runs the connection test of the server whose panel is open. */
export function useServerTest(search: Pick<ServersSearch, 'open' | 'test'>, follow: (test: string) => void) {
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
