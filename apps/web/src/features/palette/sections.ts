import { type Command, matchCommands } from './match';

export type Section = { title: string; commands: Command[] };

/** Without a query: what was used last, then everything by kind. With one: the best first. */
export function sectionsFor(commands: readonly Command[], recentIds: readonly string[], query: string): Section[] {
  if (query.trim() !== '') return [{ title: 'Résultats', commands: matchCommands(commands, query) }];
  const recents = recentIds.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  const rest = commands.filter((command) => !recents.includes(command));
  return [
    { title: 'Récents', commands: recents },
    ...(['Aller à', 'Actions'] as const).map((group) => ({
      title: group,
      commands: rest.filter((command) => command.group === group),
    })),
  ].filter((section) => section.commands.length > 0);
}
