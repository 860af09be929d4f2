import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSignal } from '../../ui/signal';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './Bars.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { consolesApi } from './consoles.api';
import { adviceFor, exitText } from './words';

type Props = { tab: ConsoleSession };
type NoteProps = { tone: 'danger' | 'warn' | 'neutral'; text: ReactNode; children?: ReactNode; footer?: ReactNode };

const Note = ({ tone, text, children, footer }: NoteProps) => (
  <div className={styles['note']} data-tone={tone}>
    <p className={styles['text']}>{text}</p>
    <div className={styles['actions']}>{children}</div>
    {footer}
  </div>
);

/** The user's open consoles, to close one when the limit is reached. */
function LiveConsoles() {
  const { data = [] } = consolesApi.useConsolesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [end, { isLoading, originalArgs }] = consolesApi.useEndConsoleMutation();
  return (
    <ul aria-label="Vos consoles ouvertes" className={styles['liveConsoles']}>
      {data.map(({ id, server_name: name, opened_at: at }) => (
        <li key={id}>
          <span>
            {name}, ouverte <TimeAgo at={at} />
          </span>
          <Button
            variant="default"
            loading={isLoading && originalArgs?.id === id}
            aria-label={`Fermer la console de ${name}`}
            onClick={() => void end({ id })}
          >
            Fermer
          </Button>
        </li>
      ))}
    </ul>
  );
}

function TroubleNote({ tab }: Props) {
  const { state } = useSignal(tab.view);
  if (state.status !== 'lost' && state.status !== 'gone') return null;
  const { next, actions } = adviceFor(state, tab.console !== undefined);
  const { message } = state.trouble;
  const retry = state.status === 'lost' ? 'Réessayer maintenant' : 'Reprendre ici';
  return (
    <Note
      tone={state.status === 'gone' && state.isAlive ? 'warn' : 'danger'}
      text={
        <>
          <strong>{message}</strong> {next}
        </>
      }
      footer={actions.includes('list') && <LiveConsoles />}
    >
      {actions.includes('server') && (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/servers" search={{ open: tab.target.id }} />}
        >
          Voir le serveur
        </Button>
      )}
      {actions.includes('servers') && (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/servers" />}>
          Voir les serveurs
        </Button>
      )}
      {actions.includes('retry') && <Button onClick={() => tab.retry()}>{retry}</Button>}
      {actions.includes('restart') && <Button onClick={() => tab.restart()}>Nouvelle console</Button>}
    </Note>
  );
}

/** The state of a console that needs an action of the user. */
export function NoteBar({ tab }: Props) {
  const { state, isIdle } = useSignal(tab.view);
  if (state.status === 'ended') {
    return (
      <Note
        tone="neutral"
        text={
          <>
            <strong>{`Console fermée (${exitText(state)}).`}</strong> Entrée en ouvre une nouvelle.
          </>
        }
      >
        <Button onClick={() => tab.restart()}>Nouvelle console</Button>
      </Note>
    );
  }
  if (isIdle) {
    return (
      <Note
        tone="warn"
        text={
          <>
            <strong>Rien ne s’y passe depuis 25{'\u00a0'}minutes.</strong> Fermez cette console si vous n’en avez plus
            besoin.
          </>
        }
      >
        <Button variant="default" onClick={() => tab.keepOpen()}>
          La garder
        </Button>
      </Note>
    );
  }
  return <TroubleNote tab={tab} />;
}
