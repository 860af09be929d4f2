import { Checkbox } from '@mantine/core';
import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { addressOf } from '../../ui/serverAddress';
import { useSignal } from '../../ui/signal';
import styles from './Bars.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { preferences, setScreenReader, sizes, zoom } from './terminal-preferences';

/** The display settings of all terminals in this browser. */
export function SettingsBar({ tab }: { tab: ConsoleSession }) {
  const { fontSize, isScreenReader } = useSignal(preferences);
  return (
    <div className={styles['bar']}>
      <code className={styles['address']}>{addressOf(tab.target)}</code>
      <span className={styles['group']}>
        Taille du texte
        <IconButton icon={Minus} label="Réduire le texte" disabled={fontSize <= sizes.min} onClick={() => zoom(-1)} />
        <output className={styles['size']}>{fontSize}</output>
        <IconButton icon={Plus} label="Agrandir le texte" disabled={fontSize >= sizes.max} onClick={() => zoom(1)} />
      </span>
      <Checkbox
        label="Adapter à un lecteur d’écran"
        checked={isScreenReader}
        onChange={({ currentTarget }) => setScreenReader(currentTarget.checked)}
      />
    </div>
  );
}
