import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSignal } from '../../ui/signal';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './consoles.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { consoleCalls } from './console-calls.api';
import { consolesApi } from './consoles.api';
import { consoleName } from './targets';
import { adviceFor, exitText } from './words';

type Props = { tab: ConsoleSession };
type NoteProps = {
  tone?: 'danger' | 'warn';
  what: string;
  next: string;
  children?: ReactNode;
  footer?: ReactNode;
};

const Note = ({ tone, what, next, children, footer }: NoteProps) => (
  <Group
    justify="space-between"
    gap="8px 16px"
    flex="none"
    mah="50%"
    p="8px 12px"
    bg={tone ? `var(--${tone}-tint)` : 'var(--surface)'}
    className={styles['bar']}
    style={{ overflow: 'auto' }}
  >
    <Text flex="1 1 320px">
      <Text component="strong" c={tone} fw={600}>
        {what}
      </Text>{' '}
      {next}
    </Text>
    <Group gap={8} flex="none">
      {children}
    </Group>
    {footer}
  </Group>
);

/** The user's open consoles, to close one when the limit is reached. */
function LiveConsoles() {
  const { data = [] } = consolesApi.useConsolesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [end, { isLoading, originalArgs }] = consoleCalls.useEndConsoleMutation();
  return (
    <Stack component="ul" aria-label="Vos consoles ouvertes" gap={4} flex="1 1 100%">
      {data.map((console) => (
        <Group
          key={console.id}
          component="li"
          wrap="nowrap"
          justify="space-between"
          gap={8}
          mih="var(--control-height)"
        >
          <span>
            {consoleName(console)}, ouverte <TimeAgo at={console.opened_at} />
          </span>
          <Button
            variant="default"
            loading={isLoading && originalArgs?.id === console.id}
            aria-label={`Fermer la console de ${consoleName(console)}`}
            onClick={() => void end({ id: console.id })}
          >
            Fermer
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

const ServerLink = ({ id }: { id: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link {...props} to="/servers/$serverId" params={{ serverId: id }} search={{}} />}
  >
    Voir le serveur
  </Button>
);

const SiteLink = ({ id }: { id: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link {...props} to="/sites/$siteId" params={{ siteId: id }} search={{}} />}
  >
    Voir le site
  </Button>
);

function TroubleNote({ tab }: Props) {
  const { state } = useSignal(tab.view);
  if (state.status !== 'lost' && state.status !== 'gone') return null;
  const { id, isSite = false } = tab.target;
  const { next, actions } = adviceFor(state, tab.console !== undefined, isSite);
  const { message } = state.trouble;
  const retry = state.status === 'lost' ? 'Réessayer maintenant' : 'Reprendre ici';
  return (
    <Note
      tone={state.status === 'gone' && state.isAlive ? 'warn' : 'danger'}
      what={message}
      next={next}
      footer={actions.includes('list') && <LiveConsoles />}
    >
      {actions.includes('place') && (isSite ? <SiteLink id={id} /> : <ServerLink id={id} />)}
      {actions.includes('servers') && !isSite && (
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
      <Note what={`Console fermée (${exitText(state)}).`} next="Entrée en ouvre une nouvelle.">
        <Button onClick={() => tab.restart()}>Nouvelle console</Button>
      </Note>
    );
  }
  if (isIdle) {
    return (
      <Note
        tone="warn"
        what={'Rien ne s’y passe depuis 25\u00a0minutes.'}
        next="Fermez cette console si vous n’en avez plus besoin."
      >
        <Button variant="default" onClick={() => tab.keepOpen()}>
          La garder
        </Button>
      </Note>
    );
  }
  return <TroubleNote tab={tab} />;
}
