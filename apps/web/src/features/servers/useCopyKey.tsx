import { Stack, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { reportFailure } from '../../kit/query/failures';
import { copyText } from '../../ui/copy';
import { toast } from '../../ui/toasts';
import { keyFailed } from './PublicKey';
import { serversApi } from './servers.api';

type KeyDialogProps = { server: Server; pubkey: string; onClose: () => void };

/** Shows the key, selected, when the browser refused to copy it. */
function KeyDialog({ server: { name }, pubkey, onClose }: KeyDialogProps) {
  return (
    <FormDialog title={`Clé publique de ${name}`} onClose={onClose}>
      <Stack gap={12} p="20px var(--gutter) 24px">
        <p>{'Le navigateur a refusé la copie. La clé est sélectionnée\u00a0: copiez-la avec Ctrl+C.'}</p>
        <Textarea
          data-autofocus
          readOnly
          rows={4}
          styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
          aria-label="Clé publique"
          value={pubkey}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Stack>
    </FormDialog>
  );
}

/** Copies the public key of a server; the dialog shows it when the browser refuses. */
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
  return {
    copy: (server: Server) => void copy(server),
    dialog: notCopied && <KeyDialog {...notCopied} onClose={() => setNotCopied(undefined)} />,
  };
}
