import { serverState } from '@vigie/contracts/server-state';
import type { ServerStatus } from '@vigie/contracts/servers';
import table from '../../kit/list/list.module.css';
import { formatAlert } from '../../kit/words/alerts';
import { serverStates } from '../../kit/words/server-state';
import { formatDate } from '../../ui/dates';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import styles from './servers.module.css';
import { reasonOf } from './words';

/** Twice the interval between two checks. */
const staleMs = 120_000;
const tickMs = 15_000;

/** Shows the last status and its age; grey once it is stale. */
export function ServerState({ status, hasReason = true }: { status: ServerStatus; hasReason?: boolean }) {
  const now = useNow(tickMs);
  const { tone, word } = serverStates[serverState(status.online, status.alerts)];
  const { checked_at: checkedAt } = status;
  const isStale = checkedAt !== null && now.getTime() - new Date(checkedAt).getTime() > staleMs;
  const reason = reasonOf(status) ?? (status.alerts.map(formatAlert).join(' · ') || undefined);
  return (
    <div className={styles['state']}>
      <div
        className={styles['line']}
        title={isStale ? 'Cet état est ancien\u00a0: le serveur n’a pas été vérifié depuis.' : undefined}
      >
        <Status tone={isStale ? 'neutral' : tone}>{word}</Status>
        <span className={`${table['more']} ${styles['oneLine']}`}>
          {checkedAt === null ? (
            'jamais vu'
          ) : (
            <>
              vu <TimeAgo at={checkedAt} often />
            </>
          )}
        </span>
      </div>
      {reason !== undefined && hasReason && (
        <p title={reason} className={`${table['more']} ${styles['twoLines']}`}>
          {reason}
        </p>
      )}
    </div>
  );
}

/** Shows the uptime, with the start date in a tooltip. */
export function Uptime({ status: { uptime, since } }: { status: ServerStatus }) {
  if (uptime === null) return '—';
  return (
    <span
      className={styles['oneLine']}
      title={since === null ? undefined : `Démarré le ${formatDate(new Date(since))}`}
    >
      {uptime}
    </span>
  );
}
