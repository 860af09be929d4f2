import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { healthApi } from '../../features/health/health.api';
import { toast } from '../../ui/toasts';
import { type Connection, useConnection } from '../../kit/query/connection';
import styles from './OfflineBanner.module.css';

const sentences = {
  offline: 'Vous êtes hors ligne. Ce qui est affiché peut dater\u202f; la console reprend dès le retour du réseau.',
  unreachable: 'La console ne répond pas. Ce qui est affiché peut dater\u202f; nouvel essai toutes les 5 secondes.',
};

const isAway = (connection: Connection) => connection === 'offline' || connection === 'unreachable';

export function OfflineBanner() {
  const connection = useConnection();
  const previous = useRef<Connection>('online');
  const [checkReadiness, { isFetching }] = healthApi.useLazyReadinessQuery();
  useEffect(() => {
    const wasOffline = previous.current === 'offline';
    if (connection === 'online' && isAway(previous.current)) toast.success('Connexion rétablie.');
    // Check at once instead of waiting for the next poll.
    if (connection === 'doubtful' || (connection === 'unreachable' && wasOffline)) void checkReadiness();
    previous.current = connection;
  }, [connection, checkReadiness]);
  return (
    <output className={styles['region']}>
      {isAway(connection) && (
        <span className={styles['banner']}>
          <WifiOff size={16} aria-hidden />
          <span>{sentences[connection]}</span>
          {connection === 'unreachable' && (
            <button type="button" disabled={isFetching} onClick={() => void checkReadiness()}>
              Réessayer
            </button>
          )}
        </span>
      )}
    </output>
  );
}
