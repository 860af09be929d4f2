import { Checkbox, Group, Text } from '@mantine/core';
import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { addressOf } from '../../ui/serverAddress';
import { useSignal } from '../../ui/signal';
import styles from './consoles.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { preferences, setScreenReader, sizes, zoom } from './terminal-preferences';
import widths from '../../ui/widths.module.css';

/** The display settings of all terminals in this browser. */
export function SettingsBar({ tab }: { tab: ConsoleSession }) {
  const { fontSize, isScreenReader } = useSignal(preferences);
  return (
    <Group justify="flex-end" gap="4px 8px" flex="none" p="4px 8px" bg="var(--surface)" className={styles['bar']}>
      {/* On a phone the status line has no room for it. */}
      <Text component="code" className={widths['onPhone'] ?? ''} flex="1 1 100%" p="4px 8px 0" c="muted" fz={12}>
        {addressOf(tab.target)}
      </Text>
      <Group component="span" wrap="nowrap" gap={6} mih="var(--control-height)" px={8} fz={13}>
        Taille du texte
        <IconButton icon={Minus} label="Réduire le texte" disabled={fontSize <= sizes.min} onClick={() => zoom(-1)} />
        <Text component="output" miw={20} ta="center">
          {fontSize}
        </Text>
        <IconButton icon={Plus} label="Agrandir le texte" disabled={fontSize >= sizes.max} onClick={() => zoom(1)} />
      </Group>
      <Checkbox
        label="Adapter à un lecteur d’écran"
        checked={isScreenReader}
        onChange={({ currentTarget }) => setScreenReader(currentTarget.checked)}
      />
    </Group>
  );
}
