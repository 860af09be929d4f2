import { Button, Stack, Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { useSignal } from '../../ui/signal';
import { useTheme } from '../../ui/theme';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';
import type { Shortcut } from './keys';

type Props = { tab: ConsoleSession; takesFocus: () => boolean; onShortcut: (shortcut: Shortcut) => void };

/** Shows the terminal of a tab, which keeps running when this component is unmounted. */
export function TerminalPane({ tab, takesFocus, onShortcut }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { screen } = useSignal(tab.view);
  const { resolved } = useTheme();
  const runShortcut = useEffectEvent(onShortcut);
  const wantsFocus = useEffectEvent(takesFocus);
  useEffect(() => tab.applyTheme(resolved), [tab, resolved]);
  useEffect(() => {
    if (!container.current) return undefined;
    return tab.mount(container.current, wantsFocus(), (shortcut) => runShortcut(shortcut));
  }, [tab]);
  return (
    <Stack pos="relative" gap={0} flex={1} mih={0} bg="var(--field)">
      <div ref={container} className={styles['terminal']} />
      {screen === 'loading' && (
        <Text component="output" m="auto" c="muted">
          Chargement du terminal…
        </Text>
      )}
      {screen === 'failed' && (
        <EmptyState
          icon={CloudOff}
          role="alert"
          title="Chargement du terminal échoué."
          // Browsers remember a module that they could not fetch, so only a reload helps.
          actions={<Button onClick={() => window.location.reload()}>Recharger la page</Button>}
        >
          <p>{'Vérifiez votre connexion, puis rechargez la page\u00a0: vos consoles ouvertes vous y attendent.'}</p>
        </EmptyState>
      )}
    </Stack>
  );
}
