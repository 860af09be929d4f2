import { Link } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { KeyRound, Pencil, PlugZap, SquareTerminal, Trash2 } from 'lucide-react';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import styles from './ServerActions.module.css';

/** What can be done with a server from its line. */
export type Deeds = {
  test: (server: Server) => void;
  edit: (server: Server) => void;
  copyKey: (server: Server) => void;
  remove: (server: Server) => void;
};

export const ServerActions = ({ server, deeds }: { server: Server; deeds: Deeds }) => (
  <div className={styles['actions']}>
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
      onClick={() => deeds.test(server)}
    />
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${server.name}`} onClick={() => deeds.edit(server)} />
    <IconButton
      isAtEdge
      icon={KeyRound}
      label={`Copier la clé publique de ${server.name}`}
      onClick={() => deeds.copyKey(server)}
    />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${server.name}`} onClick={() => deeds.remove(server)} />
  </div>
);
