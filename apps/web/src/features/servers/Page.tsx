import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Show, showing } from '../../app/showing';
import frame from '../../ui/Page.module.css';
import { DeleteServer } from './DeleteServer';
import { KeyDialog } from './KeyDialog';
import type { Deeds } from './ServerActions';
import { AddServer, EditServer } from './ServerDialog';
import { ServerPanel } from './ServerPanel';
import { ServersList } from './ServersList';
import type { ServersSearch } from './search';
import { useCopyKey } from './useCopyKey';
import type { Saved } from './useServerForm';
import { useServerTest } from './useServerTest';

type Search = ServersSearch & { panel?: 'profile' | undefined };

/** What is shown follows the address. A panel that opens is a step back; a filter and a form are none. */
function useShow(): Show<ServersSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/servers', ...showing<ServersSearch>(change, options) });
}

function useDeeds(search: Search) {
  const show = useShow();
  const diagnosis = useServerTest(search, (test) => show({ test }));
  const [leaving, setLeaving] = useState<Server>();
  const key = useCopyKey();
  const deeds: Deeds = {
    test: ({ id }) => {
      show({ open: id, test: undefined }, { isStep: search.open === undefined });
      diagnosis.run(id);
    },
    edit: ({ id }) => show({ edit: id }),
    copyKey: key.copy,
    remove: setLeaving,
  };
  const afterSave = ({ server: { id }, values, isNew }: Saved) => {
    const isKeyNext = values.method === 'made';
    const open = isNew || isKeyNext ? { open: id, test: undefined } : {};
    show({ add: undefined, edit: undefined, ...open }, { isSaved: true });
    // Without a secret nothing can be tested yet: the panel shows what to do first.
    if (isNew && !isKeyNext) diagnosis.run(id);
  };
  return { show, diagnosis, deeds, key, leaving, setLeaving, afterSave };
}

export function ServersPage({ search }: { search: Search }) {
  const { show, diagnosis, deeds, key, leaving, setLeaving, afterSave } = useDeeds(search);
  const { open, edit, add, panel } = search;
  return (
    <div className={frame['page']}>
      <header className={frame['head']}>
        <div>
          <h1>Serveurs</h1>
          <p className={frame['lead']}>Les machines que Vigie joint par SSH, et leur état.</p>
        </div>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
          Ajouter un serveur
        </Button>
      </header>
      <ServersList search={search} deeds={deeds} onChange={show} onAdd={() => show({ add: true })} />
      {/* The profile takes its place while it is open. */}
      {open !== undefined && panel === undefined && (
        <ServerPanel
          key={open}
          id={open}
          diagnosis={diagnosis}
          onEdit={() => show({ edit: open })}
          onDelete={setLeaving}
          onClose={() => show({ open: undefined, test: undefined })}
        />
      )}
      {add && <AddServer onSaved={afterSave} onClose={() => show({ add: undefined })} />}
      {!add && edit !== undefined && (
        <EditServer key={edit} id={edit} onSaved={afterSave} onClose={() => show({ edit: undefined })} />
      )}
      {leaving && (
        <DeleteServer
          server={leaving}
          onClose={() => setLeaving(undefined)}
          onDeleted={() => {
            setLeaving(undefined);
            if (open === leaving.id) show({ open: undefined, test: undefined });
          }}
        />
      )}
      {key.refused && <KeyDialog name={key.refused.server.name} pubkey={key.refused.pubkey} onClose={key.dismiss} />}
    </div>
  );
}
