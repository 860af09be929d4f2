import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { healthApi } from '../../features/health/health.api';
import { toast } from '../../ui/toasts';
import { useConnection } from '../connection';
import styles from './OfflineBanner.module.css';

const sentences = {
  offline: 'Vous êtes hors ligne. Ce qui est affiché peut dater\u202f; la console reprend dès le retour du réseau.',
  unreachable: 'La console ne répond pas. Ce qui est affiché peut dater\u202f; nouvel essai toutes les 5 secondes.',
};

export function OfflineBanner() {
  const connection = useConnection();
  const wasAway = useRef(false);
  const [ask, { isFetching }] = healthApi.useLazyReadinessQuery();
  useEffect(() => {
    if (connection === 'online' && wasAway.current) toast.success('Connexion rétablie.');
    wasAway.current = connection !== 'online';
    // The network is back: ask at once, do not wait for the next poll.
    if (connection === 'unreachable') void ask();
  }, [connection, ask]);
  return (
    <output className={styles['place']}>
      {connection !== 'online' && (
        <span className={styles['banner']}>
          <WifiOff size={16} aria-hidden />
          <span>{sentences[connection]}</span>
          {connection === 'unreachable' && (
            <button type="button" disabled={isFetching} onClick={() => void ask()}>
              Réessayer
            </button>
          )}
        </span>
      )}
    </output>
  );
}
