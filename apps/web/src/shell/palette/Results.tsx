/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- combobox with a listbox: the keys are the input's */
import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Keys } from '../../ui/Keys';
import type { Command } from './match';
import styles from './palette.module.css';
import type { Section } from './sections';

type OptionProps = { id: string; command: Command; isActive: boolean; onPoint: () => void; onRun: () => void };

function Option({ id, command, isActive, onPoint, onRun }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { icon: Icon, label, detail, keys } = command;
  return (
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles['option']}
      onPointerMove={onPoint}
      onClick={onRun}
      // Keeps the focus in the combobox, which listens to the keys.
      onPointerDown={(event) => event.preventDefault()}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={styles['label']}>{label}</span>
      {detail !== undefined && detail !== '' && detail !== label && <span className={styles['detail']}>{detail}</span>}
      {keys.length > 0 && <Keys keys={keys} />}
    </div>
  );
}

type Props = {
  id: string;
  sections: readonly Section[];
  active: Command | undefined;
  idOf: (command: Command) => string;
  onPoint: (command: Command) => void;
  onRun: (command: Command) => void;
};

export function Results({ id, sections, active, idOf, onPoint, onRun }: Props) {
  return (
    <div id={id} role="listbox" aria-label="Résultats" className={styles['list']}>
      {sections.map((section) => (
        <div key={section.title} role="group" aria-label={section.title}>
          <Text p="10px 8px 4px" c="subtle" fz={12} lh="16px" fw={500} aria-hidden>
            {section.title}
          </Text>
          {section.commands.map((command) => (
            <Option
              key={command.id}
              id={idOf(command)}
              command={command}
              isActive={command === active}
              onPoint={() => onPoint(command)}
              onRun={() => onRun(command)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
