import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { Page } from '../../ui/Page';
import { DeleteServer } from './DeleteServer';
import type { ServerActionHandlers } from './ServerActions';
import { AddServer, EditServer } from './ServerDialog';
import { ServersList } from './ServersList';
import type { ServersSearch } from './search';
import { useCopyKey } from './useCopyKey';
import type { Saved } from './useServerForm';
import { useTestStart } from './useServerTest';

/** The address holds what the page shows; filters and forms replace its entry in the history. */
function useShow(): ChangeSearch<ServersSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/servers', ...changeSearch<ServersSearch>(change, options) });
}

function useServerActions() {
  const show = useShow();
  const navigate = useNavigate();
  const open = (serverId: string, test?: string) =>
    void navigate({ to: '/servers/$serverId', params: { serverId }, search: { test }, ignoreBlocker: true });
  const test = useTestStart();
  const [deleting, setDeleting] = useState<Server>();
  const keyCopy = useCopyKey();
  const startTest = async (id: string) => {
    const jobId = await test.start(id);
    if (jobId !== undefined) open(id, jobId);
    return jobId !== undefined;
  };
  const actions: ServerActionHandlers = {
    test: ({ id }) => void startTest(id),
    edit: ({ id }) => show({ edit: id }),
    copyKey: keyCopy.copy,
    remove: setDeleting,
  };
  const afterSave = async ({ server: { id }, values, isNew }: Saved) => {
    const needsKeyInstall = values.method === 'made';
    if (!isNew && !needsKeyInstall) return show({ edit: undefined }, { isSaved: true });
    // A generated key must be installed before a test: the page shows how.
    if (needsKeyInstall || !(await startTest(id))) open(id);
  };
  return { show, test, actions, keyCopy, afterSave, deleting, setDeleting };
}

export function ServersPage({ search }: { search: ServersSearch }) {
  const { show, test, actions, keyCopy, afterSave, deleting, setDeleting } = useServerActions();
  const { edit, add } = search;
  const save = (saved: Saved) => void afterSave(saved);
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
      <ServersList
        search={search}
        actions={actions}
        failure={test.failure}
        onChange={show}
        onAdd={() => show({ add: true })}
      />
      {add && <AddServer onSaved={save} onClose={() => show({ add: undefined })} />}
      {!add && edit !== undefined && (
        <EditServer key={edit} id={edit} onSaved={save} onClose={() => show({ edit: undefined })} />
      )}
      {deleting && (
        <DeleteServer
          server={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => setDeleting(undefined)}
        />
      )}
      {keyCopy.dialog}
    </Page>
  );
}
