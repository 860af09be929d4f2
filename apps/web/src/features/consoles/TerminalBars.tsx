import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Minus, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import widths from '../../ui/widths.module.css';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';
import { addressOfTarget } from './targets';
import { preferences, setScreenReader, sizes, zoom } from './terminal-preferences';

const bar = {
  justify: 'flex-end',
  gap: '4px 8px',
  flex: 'none',
  p: '4px 8px',
  bg: 'var(--surface)',
  className: styles['bar'],
} as const;

/** Searches a terminal until the bar closes. */
function useFind(tab: ConsoleSession) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { searchResult } = useSignal(tab.view);
  useEffect(() => {
    field.current?.focus();
    return () => tab.stopFinding();
  }, [tab]);
  const count = searchResult.count === 0 ? 'Aucun résultat' : `${searchResult.index + 1} sur ${searchResult.count}`;
  const changeText = (value: string) => {
    setText(value);
    tab.find(value, 'same');
  };
  const step = (direction: 'previous' | 'next') => tab.find(text, direction);
  return { text, field, count, changeText, step };
}

/** Searches the scrollback of the terminal. */
export function FindBar({ tab, onClose }: { tab: ConsoleSession; onClose: () => void }) {
  const { text, field, count, changeText, step } = useFind(tab);
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter on a button presses the button.
    if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // The keys of the field and its buttons.
    <Group component="search" {...bar} onKeyDown={onKeyDown}>
      <TextInput
        ref={field}
        type="search"
        aria-label="Chercher dans le terminal"
        placeholder="Chercher dans le terminal"
        autoComplete="off"
        spellCheck={false}
        flex="0 1 280px"
        value={text}
        onChange={({ currentTarget }) => changeText(currentTarget.value)}
      />
      <Text span miw={96} c="muted" fz={13}>
        <output>{text !== '' && count}</output>
      </Text>
      <IconButton icon={ArrowUp} label="Résultat précédent" onClick={() => step('previous')} />
      <IconButton icon={ArrowDown} label="Résultat suivant" onClick={() => step('next')} />
      <IconButton isAtEdge icon={X} label="Fermer la recherche" onClick={onClose} />
    </Group>
  );
}

/** The display settings of all terminals in this browser. */
export function SettingsBar({ tab }: { tab: ConsoleSession }) {
  const { fontSize, isScreenReader } = useSignal(preferences);
  return (
    <Group {...bar}>
      {/* On a phone the status line has no room for it. */}
      <Text component="code" className={widths['onPhone'] ?? ''} flex="1 1 100%" p="4px 8px 0" c="muted" fz={12}>
        {addressOfTarget(tab.target)}
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

type Key = Parameters<ConsoleSession['press']>[0];

const keys: readonly { key: Key; label: string; face: ReactNode }[] = [
  { key: 'escape', label: 'Échap', face: 'Échap' },
  { key: 'ctrl', label: 'Ctrl', face: 'Ctrl' },
  { key: 'tab', label: 'Tab', face: 'Tab' },
  { key: 'left', label: 'Flèche gauche', face: <ArrowLeft size={18} aria-hidden /> },
  { key: 'up', label: 'Flèche haut', face: <ArrowUp size={18} aria-hidden /> },
  { key: 'down', label: 'Flèche bas', face: <ArrowDown size={18} aria-hidden /> },
  { key: 'right', label: 'Flèche droite', face: <ArrowRight size={18} aria-hidden /> },
  { key: '|', label: 'Barre verticale', face: '|' },
  { key: '~', label: 'Tilde', face: '~' },
  { key: '/', label: 'Barre oblique', face: '/' },
];

/** Keys that phone keyboards lack. The terminal keeps the focus, so that the phone's keyboard stays open. */
export function KeyBar({ tab }: { tab: ConsoleSession }) {
  const { isCtrl } = useSignal(tab.view);
  return (
    <div role="toolbar" aria-label="Touches du terminal" className={styles['keys']}>
      {keys.map(({ key, label, face }) => (
        <button
          key={key}
          type="button"
          aria-label={label}
          aria-pressed={key === 'ctrl' ? isCtrl : undefined}
          className={styles['keyCap']}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tab.press(key)}
        >
          {face}
        </button>
      ))}
    </div>
  );
}
