import { Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import styles from './consoles.module.css';
import type { ConsoleSession } from './ConsoleSession';

/** Searches the scrollback of the terminal. */
export function FindBar({ tab, onClose }: { tab: ConsoleSession; onClose: () => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { searchResult } = useSignal(tab.view);
  useEffect(() => {
    field.current?.focus();
    return () => tab.stopFinding();
  }, [tab]);
  const count = searchResult.count === 0 ? 'Aucun résultat' : `${searchResult.index + 1} sur ${searchResult.count}`;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter on a button presses the button.
    if (event.key === 'Enter' && event.target === field.current) tab.find(text, event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // The keys of the field and its buttons.
    <Group
      component="search"
      justify="flex-end"
      gap="4px 8px"
      flex="none"
      p="4px 8px"
      bg="var(--surface)"
      className={styles['bar']}
      onKeyDown={onKeyDown}
    >
      <TextInput
        ref={field}
        type="search"
        aria-label="Chercher dans le terminal"
        placeholder="Chercher dans le terminal"
        autoComplete="off"
        spellCheck={false}
        flex="0 1 280px"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          tab.find(value, 'same');
        }}
      />
      <Text span miw={96} c="muted" fz={13}>
        <output>{text !== '' && count}</output>
      </Text>
      <IconButton icon={ArrowUp} label="Résultat précédent" onClick={() => tab.find(text, 'previous')} />
      <IconButton icon={ArrowDown} label="Résultat suivant" onClick={() => tab.find(text, 'next')} />
      <IconButton isAtEdge icon={X} label="Fermer la recherche" onClick={onClose} />
    </Group>
  );
}
