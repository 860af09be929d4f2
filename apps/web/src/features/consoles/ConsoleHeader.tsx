import { Group, Text } from '@mantine/core';
import { ArrowLeft, Maximize2, PanelBottom, Search, SlidersHorizontal, X } from 'lucide-react';
import { useEffect } from 'react';
import { useServer } from '../../kit/fleet/servers';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import { Status, TypeBadge } from '../../ui/Status';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';
import { addressOfTarget } from './targets';
import { stateLabel } from './words';
import widths from '../../ui/widths.module.css';

export type Tool = 'search' | 'settings';

type Props = {
  tab: ConsoleSession;
  isFull: boolean;
  tool: Tool | undefined;
  onTool: (tool: Tool) => void;
  onMove: () => void;
  onClose: () => void;
};

const Prod = () => <strong className={styles['prod']}>PROD</strong>;

function ConsoleFacts({ tab, isFull }: Pick<Props, 'tab' | 'isFull'>) {
  const { target } = tab;
  const address = addressOfTarget(target);
  const { state, latency } = useSignal(tab.view);
  const { currentData: server, refetch } = useServer(isFull && !target.isSite ? target.id : undefined);
  const { tone, word } = stateLabel(state);
  // The first connection pins the host key, which the cached server does not hold yet.
  const isFirstContact = state.status === 'connected' && server?.host_key === null;
  useEffect(() => {
    if (isFirstContact) void refetch();
  }, [isFirstContact, refetch]);
  return (
    <Group wrap="nowrap" justify="flex-end" gap={12} flex="1 1 auto" miw={0} mih={36} className={styles['facts']}>
      {target.type === 'prod' ? <Prod /> : isFull && target.type && <TypeBadge type={target.type} />}
      <Status tone={tone}>{word}</Status>
      {address !== undefined && (
        <Text component="code" truncate className={widths['fromTablet'] ?? ''} c="muted" fz={12} title={address}>
          {address}
        </Text>
      )}
      {server?.host_key && <HostKey fingerprint={server.host_key} />}
      {latency !== undefined && <Latency ms={latency} />}
    </Group>
  );
}

const Latency = ({ ms }: { ms: number }) => (
  <Text span className={widths['fromTablet'] ?? ''} flex="none" c="muted" fz={12} title="Aller et retour jusqu’à Vigie">
    {`${Math.max(1, Math.round(ms))}\u00a0ms`}
  </Text>
);

const HostKey = ({ fingerprint }: { fingerprint: string }) => (
  <Text
    component="code"
    truncate
    flex="0 4 auto"
    c="subtle"
    fz={12}
    className={styles['key']}
    title={`Empreinte de la clé du serveur\u00a0: ${fingerprint}`}
  >
    {fingerprint}
  </Text>
);

/** The server and state of a console, with its tools. */
export function ConsoleHeader({ tab, isFull, tool, onTool, onMove, onClose }: Props) {
  return (
    <Group
      wrap="nowrap"
      justify="flex-end"
      gap={12}
      flex="1 1 320px"
      miw={0}
      p={{ base: '0 4px 0 12px', sm: '0 8px' }}
      className={styles['header']}
    >
      <ConsoleFacts tab={tab} isFull={isFull} />
      <Group wrap="nowrap" gap={0} flex="none" className={styles['tools']}>
        <IconButton
          icon={Search}
          label="Chercher dans le terminal"
          aria-expanded={tool === 'search'}
          onClick={() => onTool('search')}
        />
        <IconButton
          icon={SlidersHorizontal}
          label="Affichage du terminal"
          aria-expanded={tool === 'settings'}
          onClick={() => onTool('settings')}
        />
        <IconButton
          icon={isFull ? PanelBottom : Maximize2}
          label={isFull ? 'Placer dans le dock' : 'Plein écran'}
          className={isFull ? widths['fromTablet'] : undefined}
          onClick={onMove}
        />
        <IconButton isAtEdge icon={X} label="Fermer cette console" onClick={onClose} />
      </Group>
    </Group>
  );
}

export const BackButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton icon={ArrowLeft} label={label} className={styles['besideTabs']} onClick={onClick} />
);
