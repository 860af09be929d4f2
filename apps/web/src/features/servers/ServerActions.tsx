import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { KeyRound, Pencil, PlugZap, SquareTerminal, Trash2 } from 'lucide-react';
import { IconButton, iconButtonClass } from '../../ui/IconButton';

export type ServerActionHandlers = {
  test: (server: Server) => void;
  edit: (server: Server) => void;
  copyKey: (server: Server) => void;
  remove: (server: Server) => void;
};

export const ServerActions = ({ server, actions }: { server: Server; actions: ServerActionHandlers }) => (
  <Group gap={0} wrap="nowrap">
    <Link
      to="/servers/$serverId/console"
      params={{ serverId: server.id }}
      search={{}}
      preload={false}
      aria-label={`Voir la console de ${server.name}`}
      data-edge
      className={iconButtonClass ?? ''}
    >
      <SquareTerminal size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    <IconButton
      isAtEdge
      icon={PlugZap}
      label={`Tester la connexion à ${server.name}`}
      onClick={() => actions.test(server)}
    />
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${server.name}`} onClick={() => actions.edit(server)} />
    <IconButton
      isAtEdge
      icon={KeyRound}
      label={`Copier la clé publique de ${server.name}`}
      onClick={() => actions.copyKey(server)}
    />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${server.name}`} onClick={() => actions.remove(server)} />
  </Group>
);
