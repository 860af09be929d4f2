import { Button, Stack, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { Page } from '../../ui/Page';
import { DeleteServer } from './DeleteServer';
import type { ServerActionHandlers } from './ServerActions';
import { AddServer, EditServer } from './ServerDialog';
import { ServerPanel } from './ServerPanel';
import { ServersList } from './ServersList';
import type { ServersSearch } from './search';
import type { Saved } from './useServerForm';
import { useServerTest } from './useServerTest';
import { reportFailure } from '../../kit/query/failures';
import { copyText } from '../../ui/copy';
import { toast } from '../../ui/toasts';
import { keyFailed } from './PublicKey';
import { serversApi } from './servers.api';
import '@mantine/core/styles/Input.layer.css';
import { FormDialog } from '../../kit/dialog/FormDialog';

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

/** Copies the public key of a server; `notCopied` is set when the browser refuses. */
function useCopyKey() {
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

type Search = ServersSearch & { panel?: 'profile' | undefined };

/** The address holds what the page shows. Opening a panel adds a history entry; filters and forms do not. */
function useShow(): ChangeSearch<ServersSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/servers', ...changeSearch<ServersSearch>(change, options) });
}

function useServerActions(search: Search) {
  const show = useShow();
  const diagnosis = useServerTest(search, (test) => show({ test }));
  const [deleting, setDeleting] = useState<Server>();
  const keyCopy = useCopyKey();
  const actions: ServerActionHandlers = {
    test: ({ id }) => {
      show({ open: id, test: undefined }, { isStep: search.open === undefined });
      diagnosis.run(id);
    },
    edit: ({ id }) => show({ edit: id }),
    copyKey: keyCopy.copy,
    remove: setDeleting,
  };
  const afterSave = ({ server: { id }, values, isNew }: Saved) => {
    const needsKeyInstall = values.method === 'made';
    const open = isNew || needsKeyInstall ? { open: id, test: undefined } : {};
    show({ add: undefined, edit: undefined, ...open }, { isSaved: true });
    // A generated key must be installed before a test: the panel shows how.
    if (isNew && !needsKeyInstall) diagnosis.run(id);
  };
  const deletion = deleting && {
    server: deleting,
    onClose: () => setDeleting(undefined),
    onDeleted: () => {
      setDeleting(undefined);
      if (search.open === deleting.id) show({ open: undefined, test: undefined });
    },
  };
  return { show, diagnosis, actions, keyCopy, afterSave, deletion };
}

export function ServersPage({ search }: { search: Search }) {
  const { show, diagnosis, actions, keyCopy, afterSave, deletion } = useServerActions(search);
  const { open, edit, add, panel } = search;
  return (
    <Page
      title="Serveurs"
      lead="Les machines que Vigie joint par SSH, et leur état."
      action={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
          Ajouter un serveur
        </Button>
      }
    >
      <ServersList search={search} actions={actions} onChange={show} onAdd={() => show({ add: true })} />
      {/* Only one panel fits: the profile hides this one. */}
      {open !== undefined && panel === undefined && (
        <ServerPanel
          key={open}
          id={open}
          diagnosis={diagnosis}
          onEdit={() => show({ edit: open })}
          onDelete={actions.remove}
          onClose={() => show({ open: undefined, test: undefined })}
        />
      )}
      {add && <AddServer onSaved={afterSave} onClose={() => show({ add: undefined })} />}
      {!add && edit !== undefined && (
        <EditServer key={edit} id={edit} onSaved={afterSave} onClose={() => show({ edit: undefined })} />
      )}
      {deletion && <DeleteServer {...deletion} />}
      {keyCopy.notCopied && <KeyDialog {...keyCopy.notCopied} onClose={keyCopy.dismiss} />}
    </Page>
  );
}
