import { useGroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/users';
import cards from '../../ui/Cards.module.css';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import { addressOf } from '../../ui/serverAddress';
import { Sparkline } from '../../ui/Sparkline';
import { TypeBadge } from '../../ui/TypeBadge';
import { ServerActions } from './ServerActions';
import styles from './ServerCards.module.css';
import { ServerState } from './ServerState';
import { type ListProps, ServerLink, ServerCheckbox, type ServerRowProps } from './ServersTable';

function Card({ server, groupNames, actions, selection, loads }: ServerRowProps) {
  const card = useFocusHandOver<HTMLLIElement>();
  const { provider, status } = server;
  const groups = groupNames(server.groups);
  const ownerName = useOwnerLabel(server);
  return (
    <li ref={card} className={`${cards['card']} ${styles['card']}`} data-down={status.online === false || undefined}>
      <div className={cards['head']}>
        <ServerCheckbox server={server} selection={selection} />
        <ServerLink server={server} />
        <TypeBadge type={server.type} />
      </div>
      <p className={styles['more']}>
        {[addressOf(server), ownerName, provider, ...groups.map(({ name }) => name)].filter(Boolean).join(' · ')}
      </p>
      <div className={cards['state']}>
        <ServerState status={status} />
        <Sparkline health={loads.get(server.id)} />
      </div>
      <div className={cards['foot']}>
        <span className={styles['more']}>{status.uptime !== null && `Uptime\u00a0: ${status.uptime}`}</span>
        <ServerActions server={server} actions={actions} />
      </div>
    </li>
  );
}

/** The list of servers on a narrow screen. */
export function ServerCards({ servers, ...rest }: ListProps) {
  const groupNames = useGroupNames();
  return (
    <ul>
      {useProgressiveList(servers).map((server) => (
        <Card key={server.id} server={server} groupNames={groupNames} {...rest} />
      ))}
    </ul>
  );
}
