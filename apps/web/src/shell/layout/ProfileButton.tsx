import { Text } from '@mantine/core';
import type { User } from '@vigie/contracts/users';
import brief from '../../ui/Brief.module.css';
import { Initials } from '../../ui/Initials';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './menus.module.css';
import { useSetPanel } from './panel';

type Props = { user: User | undefined; userId: string | null; isAdmin: boolean };

const nameOf = (user: User | undefined, userId: string | null) => user?.first_name || user?.email || userId || 'Profil';

export function ProfileButton({ user, userId, isAdmin }: Props) {
  const setPanel = useSetPanel();
  const name = nameOf(user, userId);
  return (
    <button
      type="button"
      className={`${styles['item']} ${styles['profile']}`}
      aria-haspopup="dialog"
      onClick={() => setPanel('profile')}
    >
      <Initials w={{ base: 28, sm: 24 }} lh={{ base: '28px', sm: '24px' }} fz={12}>
        {name.charAt(0).toLocaleUpperCase('fr')}
      </Initials>
      <VisuallyHidden>{'Profil\u00a0: '}</VisuallyHidden>
      <Text span truncate className={brief['words']}>
        {name}
      </Text>
      {isAdmin && <span className={styles['badge']}>admin</span>}
    </button>
  );
}
