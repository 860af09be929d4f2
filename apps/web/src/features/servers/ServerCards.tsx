import type { Server } from '@vigie/contracts/servers';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { type Deeds, ServerActions } from './ServerActions';
import styles from './ServerCards.module.css';
import { ServerState } from './ServerState';
import { type ListProps, ServerLink } from './ServersTable';
import { TypeBadge } from './TypeBadge';
import { addressOf } from './words';

function Card({ server, deeds }: { server: Server; deeds: Deeds }) {
  const card = useFocusHandOver<HTMLLIElement>();
  const { provider, status } = server;
  return (
    <li ref={card} className={styles['card']} data-down={status.online === false || undefined}>
      <div className={styles['head']}>
        <ServerLink server={server} />
        <TypeBadge type={server.type} />
      </div>
      <p className={styles['more']}>{[addressOf(server), provider].filter(Boolean).join(' · ')}</p>
      <ServerState status={status} />
      <div className={styles['foot']}>
        <span className={styles['more']}>{status.uptime !== null && `Uptime\u00a0: ${status.uptime}`}</span>
        <ServerActions server={server} deeds={deeds} />
      </div>
    </li>
  );
}

/** The servers where a table has no room. */
export const ServerCards = ({ servers, deeds }: ListProps) => (
  <ul>
    {servers.map((server) => (
      <Card key={server.id} server={server} deeds={deeds} />
    ))}
  </ul>
);
