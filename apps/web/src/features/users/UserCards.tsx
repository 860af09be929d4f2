import type { AdminUser } from '@vigie/contracts/users';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useId } from 'react';
import { NameField } from './NameField';
import { RoleField } from './RoleField';
import { nameOf } from '../../kit/fleet/users';
import { roleLabel } from './rows';
import { TwoFactorState } from './TwoFactorState';
import styles from './UserCards.module.css';
import type { ListProps } from './UsersTable';
import { useFocusHandOver } from '../../ui/useFocusHandOver';

type CardProps = Pick<ListProps, 'account'> & { user: AdminUser; isOpen: boolean; onToggle: () => void };

function Details({ user, id, account }: Pick<CardProps, 'user' | 'account'> & { id: string }) {
  return (
    <div id={id} className={styles['details']}>
      <div className={styles['fields']}>
        <NameField user={user} field="first_name" />
        <NameField user={user} field="last_name" />
        <RoleField user={user} />
      </div>
      {account}
    </div>
  );
}

function Card({ user, account, isOpen, onToggle }: CardProps) {
  const line = useFocusHandOver<HTMLLIElement>();
  const details = useId();
  const Icon = isOpen ? ChevronUp : ChevronDown;
  return (
    <li ref={line} className={styles['card']}>
      <button
        type="button"
        className={styles['summary']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? details : undefined}
        onClick={onToggle}
      >
        <span className={styles['lines']}>
          <span className={styles['name']}>{nameOf(user)}</span>
          <span className={styles['more']}>
            {roleLabel(user)} · {user.email}
          </span>
        </span>
        <TwoFactorState user={user} isNamed />
        <Icon size={18} aria-hidden />
      </button>
      {isOpen && <Details user={user} id={details} account={account} />}
    </li>
  );
}

/** The list of users on a narrow screen; a card unfolds for the details. */
export function UserCards({ users, search, onChange, account }: ListProps) {
  return (
    <ul className={styles['cards']}>
      {users.map((user) => (
        <Card
          key={user.id}
          user={user}
          account={account}
          isOpen={search.open === user.id}
          onToggle={() => onChange({ open: search.open === user.id ? undefined : user.id })}
        />
      ))}
    </ul>
  );
}
