import type { Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { copyText } from '../../ui/copy';
import { toast } from '../../ui/toasts';
import { keyFailed } from './PublicKey';
import { serversApi } from './servers.api';

/** Copies the public key of a server; `refused` is what the clipboard did not take. */
export function useCopyKey() {
  const [readKey] = serversApi.useLazyPublicKeyQuery();
  const [refused, setRefused] = useState<{ server: Server; pubkey: string }>();
  const copy = async (server: Server): Promise<void> => {
    const { data, error } = await readKey(server.id);
    // What was read before is not what was asked for now: an edit may have changed the key.
    if (!data || error) tellFailure(error, keyFailed);
    else if (await copyText(data.pubkey.trim())) toast.success(`Clé publique de ${server.name} copiée.`);
    else setRefused({ server, pubkey: data.pubkey.trim() });
  };
  return { copy: (server: Server) => void copy(server), refused, dismiss: () => setRefused(undefined) };
}
