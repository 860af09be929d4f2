import { Group, Modal, Text, UnstyledButton } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useStoredSession } from '../../kit/query/session';
import { useFocusOnMount, useReturnFocus } from '../../ui/focus';
import { Keys } from '../../ui/Keys';
import { plural } from '../../ui/plural';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import widths from '../../ui/widths.module.css';
import { useSetPanel } from '../layout/overlays';
import { markKeys } from '../layout/shortcuts';
import { useSiteRights } from '../../kit/fleet/guests';
import type { Runner } from './actions';
import { commandsFor } from './commands';
import type { Entity } from './entities';
import { createRunner } from './entity-actions';
import type { Command } from './match';
import styles from './palette.module.css';
import { Results } from './Results';
import { addRecent, readRecents } from './recents';
import { defaultSections, markedSection, searchSections } from './sections';
import { useFleetSearch } from './useFleetSearch';

type Props = { commands: readonly Command[]; runner: Runner; onClose: () => void };

type PaletteProps = { isAdmin: boolean; onClose: () => void };

export function Palette({ isAdmin, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const setPanel = useSetPanel();
  const commands = useMemo(() => commandsFor({ isAdmin, navigate, setPanel }), [isAdmin, navigate, setPanel]);
  const runner = useMemo(() => createRunner(navigate), [navigate]);
  useReturnFocus();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={560}
      yOffset="12vh"
      returnFocus={false}
      classNames={{ content: styles['content'] }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--backdrop)" />
      <Modal.Content radius="lg" shadow="var(--shadow)" aria-label="Rechercher ou agir">
        <PaletteSearch {...{ commands, runner, onClose }} />
      </Modal.Content>
    </Modal.Root>
  );
}

const moves: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  PageDown: (index, count) => Math.min(index + 5, count - 1),
  PageUp: (index) => Math.max(index - 5, 0),
};

const Hint = ({ keys, label }: { keys: readonly string[]; label: string }) => (
  <Group component="span" gap={6}>
    <Keys keys={keys} /> {label}
  </Group>
);

function Hints() {
  return (
    <Group
      flex="none"
      p="8px 16px"
      bg="var(--canvas)"
      c="subtle"
      fz={12}
      className={`${styles['foot']} ${widths['fromTablet']}`}
      aria-hidden
    >
      <Hint keys={['↑', '↓']} label="parcourir" />
      <Hint keys={['Entrée']} label="ouvrir" />
      <Hint keys={markKeys} label="cocher un site" />
      <Hint keys={['?']} label="raccourcis" />
    </Group>
  );
}

const countOf = (results: number) => (results === 0 ? 'Aucun résultat' : plural(results, 'résultat', 'résultats'));

const None = ({ isSilent, children }: { isSilent?: boolean; children: string }) => (
  <Text p="24px 16px 40px" c="muted" ta="center" aria-hidden={isSilent}>
    {children}
  </Text>
);

type ResultsFootProps = { query: string; count: number; isSettled: boolean; note: string | undefined };

/** Says when nothing was found or a service is away. Screen readers hear it once results settle, not at each letter. */
function ResultsFoot({ query, count, isSettled, note }: ResultsFootProps) {
  const isEmpty = count === 0;
  return (
    <>
      {isEmpty && !isSettled && <None isSilent>Recherche…</None>}
      {isEmpty && isSettled && note === undefined && (
        <None>{`Rien ne correspond à «\u00a0${query.trim()}\u00a0».`}</None>
      )}
      {note !== undefined && (
        <Text variant="note" flex="none" p="8px 16px" className={`${styles['foot']} ${widths['fromTablet']}`}>
          {note}
        </Text>
      )}
      <output>
        <VisuallyHidden>
          {query.trim() !== '' && isSettled && [countOf(count), note].filter(Boolean).join('. ')}
        </VisuallyHidden>
      </output>
    </>
  );
}

/** The sites that are marked for one action on all of them. They stay marked while the query changes. */
function useMarks() {
  const [marked, setMarked] = useState<readonly Entity[]>([]);
  const isMarked = ({ id }: Entity) => marked.some((other) => other.id === id);
  const toggle = (entity: Entity | undefined) => {
    if (entity?.kind !== 'site') return;
    setMarked(isMarked(entity) ? marked.filter(({ id }) => id !== entity.id) : [...marked, entity]);
  };
  return { marked, isMarked, toggle, clear: () => setMarked([]) };
}

/** Keeps the chosen command while more results arrive, so that Enter runs what the user saw. */
function useChoice({ commands, runner: plainRunner }: Omit<Props, 'onClose'>) {
  const rights = useSiteRights();
  const runner = useMemo(() => ({ ...plainRunner, rights }), [plainRunner, rights]);
  const { userId } = useStoredSession();
  const [query, setQuery] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const [recents] = useState(() => readRecents(userId));
  const [recentEntities] = useState(() => recents.filter((recent) => typeof recent !== 'string'));
  const { found, isSettled, note } = useFleetSearch(query, recentEntities);
  const marks = useMarks();
  const listed = useMemo(
    () =>
      query.trim() === '' ? defaultSections(commands, recents, runner) : searchSections(commands, query, found, runner),
    [commands, recents, query, found, runner],
  );
  const sections = [...listed, ...markedSection(marks.marked, runner, marks.clear)];
  const visible = sections.flatMap((section) => section.commands);
  const active = visible.find(({ id }) => id === chosenId) ?? visible[0];
  const changeQuery = (text: string) => {
    setQuery(text);
    setChosenId(undefined);
  };
  const remember = ({ id, entity, group }: Command) => {
    if (entity ?? group) addRecent(userId, entity ?? id);
  };
  return { query, changeQuery, sections, visible, active, choose: setChosenId, isSettled, note, remember, marks };
}

function PaletteSearch({ commands, runner, onClose }: Props) {
  const list = useId();
  // The dialog moves the focus only after its transition: letters typed before that would be lost.
  const field = useFocusOnMount<HTMLInputElement>();
  const { query, sections, visible, active, marks, ...choice } = useChoice({ commands, runner });
  const idOf = (command: Command) => `${list}-${visible.indexOf(command)}`;
  const run = (command: Command | undefined) => {
    if (!command) return;
    choice.remember(command);
    if (!command.staysOpen) onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move && active) choice.choose(visible[move(visible.indexOf(active), visible.length)]?.id);
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) marks.toggle(active?.entity);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <SearchBar
        ref={field}
        listId={list}
        hasResults={visible.length > 0}
        aria-activedescendant={active && idOf(active)}
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => choice.changeQuery(event.target.value)}
        onClose={onClose}
      />
      <Results id={list} {...{ sections, active, idOf, marks }} onPoint={({ id }) => choice.choose(id)} onRun={run} />
      <ResultsFoot query={query} count={visible.length} isSettled={choice.isSettled} note={choice.note} />
      <Hints />
    </>
  );
}

type SearchBarProps = ComponentProps<'input'> & Pick<Props, 'onClose'> & { listId: string; hasResults: boolean };

/** The field of the palette, which keeps the focus while its keys choose among the results. */
function SearchBar({ listId, hasResults, onClose, ...input }: SearchBarProps) {
  return (
    <Group gap={10} wrap="nowrap" flex="none" h={52} pl={16} pr={12} c="subtle" className={styles['search']}>
      <Search size={18} strokeWidth={1.75} aria-hidden />
      <input
        data-autofocus
        role="combobox"
        aria-label="Rechercher un site, un serveur, un groupe, un plugin, une zone, une page ou une action"
        aria-expanded={hasResults}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-describedby={`${listId}-help`}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder="Rechercher ou agir…"
        {...input}
      />
      <span id={`${listId}-help`} hidden>{`${markKeys.join(' ')} coche un site, pour agir sur plusieurs.`}</span>
      <UnstyledButton
        mih="var(--row)"
        miw="var(--row)"
        p={2}
        bdrs={4}
        aria-label="Fermer, touche Échap"
        onClick={onClose}
      >
        <Keys keys={['Échap']} />
      </UnstyledButton>
    </Group>
  );
}
