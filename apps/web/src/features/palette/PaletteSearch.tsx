import { Search } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useStoredSession } from '../../app/session';
import { Hidden } from '../../ui/Hidden';
import { Keys } from '../../ui/Keys';
import { plural } from '../../ui/plural';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import type { Act } from './deeds';
import type { Command } from './match';
import styles from './Palette.module.css';
import { Results } from './Results';
import { addRecent, readRecents } from './recents';
import { foundSections, defaultSections } from './sections';
import { useFound } from './useFound';

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 5, count - 1),
  PageUp: (at) => Math.max(at - 5, 0),
};

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

const countOf = (results: number) => (results === 0 ? 'Aucun résultat' : plural(results, 'résultat', 'résultats'));

type EndProps = { query: string; count: number; isSettled: boolean; note: string | undefined };

/** Below the results: what is missing of them. Heard once an answer is there, not at each letter. */
function End({ query, count, isSettled, note }: EndProps) {
  const isEmpty = count === 0;
  return (
    <>
      {isEmpty && !isSettled && (
        <p className={styles['none']} aria-hidden>
          Recherche…
        </p>
      )}
      {isEmpty && isSettled && note === undefined && (
        <p className={styles['none']}>{`Rien ne correspond à «\u00a0${query.trim()}\u00a0».`}</p>
      )}
      {note !== undefined && <p className={styles['note']}>{note}</p>}
      <output>
        <Hidden>{query.trim() !== '' && isSettled && [countOf(count), note].filter(Boolean).join('. ')}</Hidden>
      </output>
    </>
  );
}

type Props = { commands: readonly Command[]; act: Act; onClose: () => void };

/** What is shown for what is typed, and which of it Enter runs: the same one while the rest arrives. */
function useChoice({ commands, act }: Pick<Props, 'commands' | 'act'>) {
  const { userId } = useStoredSession();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [recents] = useState(() => readRecents(userId));
  const { entities, isSettled, note } = useFound(query);
  const sections = useMemo(
    () =>
      query.trim() === '' ? defaultSections(commands, recents, act) : foundSections(commands, query, entities, act),
    [commands, recents, query, entities, act],
  );
  const shown = sections.flatMap((section) => section.commands);
  const active = shown.find(({ id }) => id === chosen) ?? shown[0];
  const type = (text: string) => {
    setQuery(text);
    setChosen(undefined);
  };
  const remember = ({ id, entity }: Command) => addRecent(userId, entity ?? id);
  return { query, type, sections, shown, active, choose: setChosen, isSettled, note, remember };
}

export function PaletteSearch({ commands, act, onClose }: Props) {
  const list = useId();
  // At once: the dialog itself gives the focus a moment later, and what is typed until then would be lost.
  const field = useFocusOnMount<HTMLInputElement>();
  const { query, type, sections, shown, active, choose, isSettled, note, remember } = useChoice({ commands, act });
  const idOf = (command: Command) => `${list}-${shown.indexOf(command)}`;
  const run = (command: Command | undefined) => {
    if (!command) return;
    remember(command);
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step && active) choose(shown[step(shown.indexOf(active), shown.length)]?.id);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles['search']}>
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-label="Rechercher un site, un serveur, un groupe, un plugin, une zone, une page ou une action"
          aria-expanded={shown.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active && idOf(active)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Rechercher ou agir…"
          value={query}
          onKeyDown={onKeyDown}
          onChange={(event) => type(event.target.value)}
        />
        <button type="button" className={styles['escape']} aria-label="Fermer" onClick={onClose}>
          <Keys keys={['Échap']} />
        </button>
      </div>
      <Results id={list} sections={sections} active={active} idOf={idOf} onPoint={({ id }) => choose(id)} onRun={run} />
      <End query={query} count={shown.length} isSettled={isSettled} note={note} />
      <Hints />
    </>
  );
}
