/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- combobox with a listbox: the keys are the input's */
import { Text } from '@mantine/core';
import { Check } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Keys } from '../../ui/Keys';
import type { Entity } from './entities';
import type { Command } from './match';
import styles from './palette.module.css';
import type { Section } from './sections';

/** The box that marks a site. The keys are those of the combobox. */
function Tick({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    onToggle();
  };
  return (
    <span className={styles['tick']} data-on={isOn || undefined} aria-hidden onClick={toggle}>
      <span>{isOn && <Check size={14} strokeWidth={3} />}</span>
    </span>
  );
}

type OptionProps = {
  id: string;
  command: Command;
  isActive: boolean;
  /** Undefined where the option cannot be marked. */
  isMarked: boolean | undefined;
  onMark: () => void;
  onPoint: () => void;
  onRun: () => void;
};

function Option({ id, command, isActive, isMarked, onMark, onPoint, onRun }: OptionProps) {
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
      aria-selected={isMarked}
      data-active={isActive || undefined}
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
      {isMarked !== undefined && <Tick isOn={isMarked} onToggle={onMark} />}
    </div>
  );
}

type Props = {
  id: string;
  sections: readonly Section[];
  active: Command | undefined;
  marks: { isMarked: (entity: Entity) => boolean; toggle: (entity: Entity) => void };
  idOf: (command: Command) => string;
  onPoint: (command: Command) => void;
  onRun: (command: Command) => void;
};

/** A site is marked on its own line, not on those of its actions. */
const markable = ({ id, entity }: Command) =>
  entity?.kind === 'site' && id === `site ${entity.id}` ? entity : undefined;

export function Results({ id, sections, active, idOf, marks, onPoint, onRun }: Props) {
  const marksOf = (command: Command) => {
    const entity = markable(command);
    return { isMarked: entity && marks.isMarked(entity), onMark: () => entity && marks.toggle(entity) };
  };
  return (
    <div id={id} role="listbox" aria-multiselectable aria-label="Résultats" className={styles['list']}>
      {sections.map((section) => (
        <div
          key={section.title}
          role="group"
          aria-label={section.title}
          className={section.isBar ? styles['marked'] : undefined}
        >
          <Text p="10px 8px 4px" c="subtle" fz={12} lh="16px" fw={500} truncate aria-hidden>
            {section.title}
          </Text>
          {section.commands.map((command) => (
            <Option
              key={command.id}
              id={idOf(command)}
              command={command}
              isActive={command === active}
              {...marksOf(command)}
              onPoint={() => onPoint(command)}
              onRun={() => onRun(command)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
