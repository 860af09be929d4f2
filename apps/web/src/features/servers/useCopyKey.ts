import type { Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { copyText } from '../../ui/copy';
import { toast } from '../../ui/toasts';
import { keyFailed } from './PublicKey';
import { serversApi } from './servers.api';

/** Copies the public key of a server; `notCopied` is set when the browser refuses. */
export function useCopyKey() {
  const [readKey] = serversApi.useLazyPublicKeyQuery();
  const [notCopied, setNotCopied] = useState<{ server: Server; pubkey: string }>();
  const copy = async (server: Server): Promise<void> => {
    const { data, error } = await readKey({ id: server.id });
    // Ignores cached data on an error: an edit may have changed the key.
    if (!data || error) reportFailure(error, keyFailed);
    else if (await copyText(data.pubkey.trim())) toast.success(`Clé publique de ${server.name} copiée.`);
    else setNotCopied({ server, pubkey: data.pubkey.trim() });
  };
  return { copy: (server: Server) => void copy(server), notCopied, dismiss: () => setNotCopied(undefined) };
}
