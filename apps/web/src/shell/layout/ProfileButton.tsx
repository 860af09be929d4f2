import type { User } from '@vigie/contracts/users';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { useSetPanel } from './panel';
import styles from './ProfileButton.module.css';

type Props = { user: User | undefined; userId: string | null; isAdmin: boolean };

const nameOf = (user: User | undefined, userId: string | null) => user?.first_name || user?.email || userId || 'Profil';

export function ProfileButton({ user, userId, isAdmin }: Props) {
  const setPanel = useSetPanel();
  const name = nameOf(user, userId);
  return (
    <button type="button" className={styles['profile']} aria-haspopup="dialog" onClick={() => setPanel('profile')}>
      <span className={styles['avatar']} aria-hidden>
        {name.charAt(0).toLocaleUpperCase('fr')}
      </span>
      <VisuallyHidden>{'Profil\u00a0: '}</VisuallyHidden>
      <span className={styles['name']}>{name}</span>
      {isAdmin && <span className={styles['badge']}>admin</span>}
    </button>
  );
}
