/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- combobox with a listbox: the keys are the input's */
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Hidden } from '../../ui/Hidden';
import { Keys } from '../../ui/Keys';
import type { Command } from './match';
import styles from './Palette.module.css';
import { addRecent, readRecents } from './recents';
import { type Section, sectionsFor } from './sections';

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 5, count - 1),
  PageUp: (at) => Math.max(at - 5, 0),
};

type OptionProps = { id: string; command: Command; isActive: boolean; onPoint: () => void; onRun: () => void };

function Option({ id, command, isActive, onPoint, onRun }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const Icon = command.icon;
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
      // The combobox keeps the focus: it is where the keys are listened to.
      onPointerDown={(event) => event.preventDefault()}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={styles['label']}>{command.label}</span>
      {command.keys.length > 0 && <Keys keys={command.keys} />}
    </div>
  );
}

type ResultsProps = {
  id: string;
  sections: readonly Section[];
  active: Command | undefined;
  idOf: (command: Command) => string;
  onPoint: (command: Command) => void;
  onRun: (command: Command) => void;
};

function Results({ id, sections, active, idOf, onPoint, onRun }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label="Pages et actions" className={styles['list']}>
      {sections.map((section) => (
        <div key={section.title} role="group" aria-label={section.title}>
          <div className={styles['section']} aria-hidden>
            {section.title}
          </div>
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

function Hints() {
  return (
    <div className={styles['hints']} aria-hidden>
      <span>
        <Keys keys={['↑', '↓']} /> choisir
      </span>
      <span>
        <Keys keys={['Entrée']} /> ouvrir
      </span>
      <span>
        <Keys keys={['?']} /> raccourcis
      </span>
    </div>
  );
}

const count = (results: number) =>
  results === 0 ? 'Aucun résultat' : `${results} ${results === 1 ? 'résultat' : 'résultats'}`;

type Props = { commands: readonly Command[]; onClose: () => void };

export function PaletteSearch({ commands, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [recents] = useState(readRecents);
  const list = useId();
  const sections = useMemo(() => sectionsFor(commands, recents, query), [commands, recents, query]);
  const shown = sections.flatMap((section) => section.commands);
  const idOf = (command: Command) => `${list}-${shown.indexOf(command)}`;
  const point = (command: Command) => setAt(shown.indexOf(command));
  const active = shown[at];
  const run = (command: Command | undefined) => {
    if (!command) return;
    addRecent(command.id);
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step && shown.length > 0) setAt(step(at, shown.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles['search']}>
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-label="Rechercher une page ou une action"
          aria-expanded={shown.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active && idOf(active)}
          autoComplete="off"
          spellCheck={false}
          placeholder="Rechercher ou agir…"
          value={query}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
        />
        <button type="button" className={styles['escape']} aria-label="Fermer" onClick={onClose}>
          <Keys keys={['Échap']} />
        </button>
      </div>
      <Results id={list} sections={sections} active={active} idOf={idOf} onPoint={point} onRun={run} />
      {shown.length === 0 && <p className={styles['none']}>{`Rien ne correspond à «\u00a0${query.trim()}\u00a0».`}</p>}
      <output>
        <Hidden>{query.trim() !== '' && count(shown.length)}</Hidden>
      </output>
      <Hints />
    </>
  );
}
