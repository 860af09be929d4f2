import { type RunAction, withoutActionWords, actionCommands, openCommand } from './actions';
import type { Entity, Kind } from './entities';
import { type Command, matchCommands, stillMatches } from './match';
import type { Recent } from './recents';

export type Section = { title: string; commands: Command[] };

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

/** `targets`: results of the query without its action words, which the typed action may apply to. */
export type FoundEntities = { all: readonly Entity[]; targets: readonly Entity[] };

const nonEmpty = (sections: readonly Section[]) => sections.filter(({ commands }) => commands.length > 0);

/** The sections of an empty query: recent entries, then all pages and actions. */
export function defaultSections(
  commands: readonly Command[],
  recents: readonly Recent[],
  runAction: RunAction,
): Section[] {
  const recentCommands = recents.flatMap(
    (recent) =>
      (typeof recent === 'string' ? commands.find(({ id }) => id === recent) : openCommand(recent, runAction)) ?? [],
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

/** Pages come first, so that they do not move when the search results arrive. */
export function searchSections(
  commands: readonly Command[],
  query: string,
  found: FoundEntities,
  runAction: RunAction,
): Section[] {
  const all = found.all
    .map((entity) => openCommand(entity, runAction))
    .filter((command) => stillMatches(command, query));
  return nonEmpty([
    { title: 'Pages et actions', commands: matchCommands(commands, query).slice(0, maxPages) },
    ...kinds.map((kind) => ({ title: titles[kind], commands: all.filter(({ entity }) => entity?.kind === kind) })),
    { title: 'Actions', commands: actionsFor(all, query, found.targets, runAction) },
  ]);
}

/** The typed action on each of its targets; without a typed action, all actions on the first result. */
function actionsFor(
  all: readonly Command[],
  query: string,
  targets: readonly Entity[],
  runAction: RunAction,
): Command[] {
  if (withoutActionWords(query) !== undefined) {
    const commands = targets.flatMap((entity) => actionCommands(entity, runAction));
    return matchCommands(commands, query).slice(0, maxActions);
  }
  const [first] = all;
  return first?.entity ? actionCommands(first.entity, runAction) : [];
}
