import { Button } from '@mantine/core';
import type { OpenSession } from '@vigie/contracts/sessions';
import { When } from '../../ui/When';
import { toast } from '../../ui/toasts';
import { deviceOf } from './device';
import styles from './ProfileDrawer.module.css';
import { profileApi } from './profile.api';
import { useFailure } from './useFailure';

type LineProps = { session: OpenSession; isBusy: boolean; onRevoke: () => void };

function SessionLine({ session, isBusy, onRevoke }: LineProps) {
  const device = deviceOf(session.user_agent);
  return (
    <li className={styles['session']}>
      <div>
        <p>
          {device}
          {session.is_current && <strong> · cette session</strong>}
        </p>
        <p className={styles['note']}>
          {session.address ?? 'adresse inconnue'} · <When at={session.seen_at} />
        </p>
      </div>
      {!session.is_current && (
        <Button variant="default" aria-label={`Révoquer la session ${device}`} disabled={isBusy} onClick={onRevoke}>
          Révoquer
        </Button>
      )}
    </li>
  );
}

export function SessionsSection() {
  const { data, error } = profileApi.useOpenSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [revoke, { isLoading }] = profileApi.useRevokeSessionMutation();
  const { fail } = useFailure('Cette session n’a pas pu être révoquée.');
  const end = async (ids: string[]): Promise<void> => {
    for (const id of ids) {
      const { error: failure } = await revoke(id);
      if (failure) return fail(failure);
    }
    return toast.success(ids.length === 1 ? 'La session est fermée.' : 'Les autres sessions sont fermées.');
  };
  const others = data?.items.filter(({ is_current: isCurrent }) => !isCurrent) ?? [];
  if (error) return <p className={styles['note']}>Vos sessions n’ont pas pu être lues.</p>;
  return (
    <>
      <ul className={styles['sessions']}>
        {data?.items.map((session) => (
          <SessionLine key={session.id} session={session} isBusy={isLoading} onRevoke={() => void end([session.id])} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="default" loading={isLoading} onClick={() => void end(others.map(({ id }) => id))}>
          Révoquer les autres
        </Button>
      )}
    </>
  );
}
