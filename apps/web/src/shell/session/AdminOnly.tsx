import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { userQueries } from '../../kit/fleet/users';
import { Notice } from '../../ui/EmptyState';
import { useStoredSession } from '../../kit/query/session';
import { Loading } from '../layout/StartScreens';

/** The stored flag only avoids a loading screen: once the user is read, the server's answer decides. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { data: user } = userQueries.useMeQuery();
  const { isAdmin: isStoredAdmin } = useStoredSession();
  if (user ? user.is_admin || user.role === 'admin' : isStoredAdmin) return children;
  if (!user) return <Loading />;
  return (
    <Notice icon={LockKeyhole} title="Accès réservé aux administrateurs.">
      <p>Demandez à un administrateur de la console si vous avez besoin de cet écran.</p>
    </Notice>
  );
}
