import { X } from 'lucide-react';
import { plural } from '../../ui/plural';
import { actionCommands, batchCommands, type FoundSites, foundCommands, openCommand, type Runner } from './actions';
import type { Entity, Kind } from './entities';
import { type Command, matchCommands, stillMatches } from './match';
import type { Recent } from './recents';
import { meaningfulWords, type ParsedQuery, parseQuery } from './verbs';

/** `isBar`: the section stays in sight below the others. */
export type Section = { title: string; commands: Command[]; isBar?: boolean };

const titles: Readonly<Record<Kind, string>> = {
  site: 'Sites',
  server: 'Serveurs',
  group: 'Groupes',
  plugin: 'Plugins',
  zone: 'Zones DNS',
};
const kinds = Object.keys(titles) as Kind[];
const maxActions = 8;
/** Leaves room for the search results below the pages. */
const maxPages = 6;

export type Found = {
  /** The results of the whole query. */
  all: readonly Entity[];
  /** What the typed verb may apply to: the results of the rest of the query, or suggestions where it has nothing but a verb. */
  targets: readonly Entity[];
  sites: FoundSites | undefined;
};

const nonEmpty = (sections: readonly Section[]) => sections.filter(({ commands }) => commands.length > 0);

/** The sections of an empty query: recent entries, then all pages and actions. */
export function defaultSections(commands: readonly Command[], recents: readonly Recent[], runner: Runner): Section[] {
  const recentCommands = recents.flatMap(
    (recent) =>
      (typeof recent === 'string' ? commands.find(({ id }) => id === recent) : openCommand(recent, runner)) ?? [],
  );
  const rest = commands.filter((command) => !recentCommands.includes(command));
  return nonEmpty([
    { title: 'Récents', commands: recentCommands },
    ...(['Aller à', 'Actions'] as const).map((group) => ({
      title: group,
      commands: rest.filter((command) => command.group === group),
    })),
  ]);
}

/** Pages come first, so that they do not move when the search results arrive, then what the query asks to do. */
export function searchSections(commands: readonly Command[], query: string, found: Found, runner: Runner): Section[] {
  const parsed = parseQuery(query);
  const all = found.all.map((entity) => openCommand(entity, runner)).filter((command) => stillMatches(command, query));
  const actions = { title: 'Actions', commands: actionsFor(all, query, parsed, found, runner) };
  const results = kinds.map((kind) => ({
    title: titles[kind],
    commands: all.filter(({ entity }) => entity?.kind === kind),
  }));
  return nonEmpty([
    { title: 'Pages et actions', commands: matchCommands(commands, meaningfulWords(query)).slice(0, maxPages) },
    ...(parsed.verbs.size > 0 ? [actions, ...results] : [...results, actions]),
  ]);
}

/** The typed verb on each of its targets; without a verb, all actions on the first result. */
function actionsFor(
  all: readonly Command[],
  query: string,
  { verbs }: ParsedQuery,
  { targets, sites }: Found,
  runner: Runner,
): Command[] {
  const onFound = sites ? foundCommands(sites, runner, verbs) : [];
  if (verbs.size > 0) {
    const onTargets = matchCommands(actionCommands(targets, runner), meaningfulWords(query));
    return [...onFound, ...onTargets].slice(0, maxActions);
  }
  const [first] = all;
  return [...onFound, ...(first?.entity ? actionCommands([first.entity], runner) : [])];
}

/** The actions on the marked sites. */
export function markedSection(marked: readonly Entity[], runner: Runner, unmark: () => void): Section[] {
  if (marked.length === 0) return [];
  const name = marked.length === 1 ? 'ce site' : `ces ${marked.length} sites`;
  const clear = { id: 'unmark', label: 'Tout décocher', words: '', icon: X, keys: [], staysOpen: true, run: unmark };
  return [
    {
      title: `${plural(marked.length, 'site coché', 'sites cochés')}\u00a0: ${new Intl.ListFormat('fr').format(marked.map(({ name: site }) => site))}`,
      commands: [
        ...batchCommands(
          marked.map(({ id }) => id),
          name,
          runner,
        ),
        clear,
      ],
      isBar: true,
    },
  ];
}
