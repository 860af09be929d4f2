import { Box } from '@mantine/core';
import type { Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { addressOf } from '../../ui/serverAddress';
import { attachedSites, type SitesAttached, serversApi } from './servers.api';

type Props = { server: Server; onDeleted: () => void; onClose: () => void };

function AttachedSites({ sites, total }: SitesAttached) {
  const others = total - sites.length;
  return (
    <>
      <p>{`${plural(total, 'site utilise', 'sites utilisent')} ce serveur. Ils seront conservés, mais Vigie ne pourra plus s’y connecter\u00a0:`}</p>
      <Box component="ul" mah="40dvh" pl={20} c="var(--text)" style={{ overflowY: 'auto', listStyle: 'disc' }}>
        {sites.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </Box>
      {others > 0 && <p>{`et ${plural(others, 'autre', 'autres')}.`}</p>}
    </>
  );
}

/** Asks a second time, with the names of the sites, when sites use the server. */
export function DeleteServer({ server, onDeleted, onClose }: Props) {
  const [deleteServer, call] = serversApi.useDeleteServerMutation();
  const [sites, setSites] = useState<SitesAttached>();
  const confirm = async () => {
    const { error } = await deleteServer({ id: server.id, ...(sites && { force: '1' }) });
    const attached = attachedSites(error);
    if (attached && !sites) return setSites(attached);
    if (error) return;
    toast.success(`Serveur ${server.name} supprimé.`);
    onDeleted();
  };
  return (
    <ConfirmDialog
      // A new key mounts the dialog again, so that the focus starts on Cancel for the second question too.
      key={sites ? 'attached' : 'first'}
      title={sites ? `${server.name} est utilisé par des sites` : `Supprimer le serveur ${server.name}\u202f?`}
      action={sites ? 'Supprimer quand même et détacher les sites' : 'Supprimer'}
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {sites ? (
        <AttachedSites {...sites} />
      ) : (
        <>
          <p>{`${addressOf(server)} ne sera plus surveillé, et les secrets enregistrés pour s’y connecter seront effacés.`}</p>
          <p>Rien n’est supprimé sur le serveur lui-même.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
