import { type Act, aboutOf, actionsOf, openingOf } from './deeds';
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
/** So that what is found of the fleet is in sight below them. */
const maxPages = 6;

/** `about`: what was found by the words that say no deed, where some do. */
export type Entities = { all: readonly Entity[]; about: readonly Entity[] };

const filled = (sections: readonly Section[]) => sections.filter(({ commands }) => commands.length > 0);

/** Before anything is typed: what was used last, then everything by kind. */
export function defaultSections(commands: readonly Command[], recents: readonly Recent[], act: Act): Section[] {
  const last = recents.flatMap(
    (recent) => (typeof recent === 'string' ? commands.find(({ id }) => id === recent) : openingOf(recent, act)) ?? [],
  );
  const rest = commands.filter((command) => !last.includes(command));
  return filled([
    { title: 'Récents', commands: last },
    ...(['Aller à', 'Actions'] as const).map((group) => ({
      title: group,
      commands: rest.filter((command) => command.group === group),
    })),
  ]);
}

/** What is always there comes first, so that nothing moves when the rest arrives. */
export function foundSections(commands: readonly Command[], query: string, found: Entities, act: Act): Section[] {
  const all = found.all.map((entity) => openingOf(entity, act)).filter((opening) => stillMatches(opening, query));
  return filled([
    { title: 'Pages et actions', commands: matchCommands(commands, query).slice(0, maxPages) },
    ...kinds.map((kind) => ({ title: titles[kind], commands: all.filter(({ entity }) => entity?.kind === kind) })),
    { title: 'Actions', commands: deedsFor(all, query, found.about, act) },
  ]);
}

/** Those that were typed, of all that they could be done to; otherwise those of what comes first. */
function deedsFor(all: readonly Command[], query: string, about: readonly Entity[], act: Act): Command[] {
  if (aboutOf(query) !== undefined) {
    const possible = about.flatMap((entity) => actionsOf(entity, act));
    return matchCommands(possible, query).slice(0, maxActions);
  }
  const [first] = all;
  return first?.entity ? actionsOf(first.entity, act) : [];
}
