import { searchWords } from '@vigie/contracts/search-text';
import {
  FolderTree,
  Globe,
  type LucideIcon,
  PackageOpen,
  PanelsTopLeft,
  Pencil,
  Puzzle,
  RefreshCw,
  Server,
  SquareTerminal,
} from 'lucide-react';
import type { Entity, Kind } from './entities';
import type { Command } from './match';

type ActionSpec = { name: string; verb: string; words: string; icon: LucideIcon };

const edit = { name: 'edit', verb: 'Modifier…', words: 'éditer réglages', icon: Pencil } as const;
const sites = { name: 'sites', verb: 'Voir les sites de', words: 'liste', icon: PanelsTopLeft } as const;

/** The actions on an entity of each kind; every entity can be opened too. */
const actionsByKind = {
  site: [
    { name: 'backup', verb: 'Sauvegarder…', words: 'backup copie', icon: PackageOpen },
    { name: 'update', verb: 'Mettre à jour…', words: 'maj update', icon: RefreshCw },
    edit,
  ],
  server: [
    { name: 'console', verb: 'Ouvrir la console de', words: 'terminal ssh shell', icon: SquareTerminal },
    sites,
    edit,
  ],
  group: [sites, edit],
  plugin: [],
  zone: [],
} as const satisfies Record<Kind, readonly ActionSpec[]>;

const icons: Readonly<Record<Kind, LucideIcon>> = {
  site: PanelsTopLeft,
  server: Server,
  group: FolderTree,
  plugin: Puzzle,
  zone: Globe,
};

export type ActionName = 'open' | (typeof actionsByKind)[Kind][number]['name'];
export type RunAction = (name: ActionName, entity: Entity) => void;

export const openCommand = (entity: Entity, runAction: RunAction): Command => ({
  id: `${entity.kind} ${entity.id}`,
  label: entity.name,
  detail: entity.detail,
  words: entity.words,
  icon: icons[entity.kind],
  keys: [],
  entity,
  run: () => runAction('open', entity),
});

type Action = ActionSpec & { name: ActionName };

export const actionCommands = (entity: Entity, runAction: RunAction): Command[] =>
  actionsByKind[entity.kind].map(({ name, verb, words, icon }: Action) => ({
    id: `${name} ${entity.kind} ${entity.id}`,
    label: `${verb} ${entity.name}`,
    detail: entity.detail,
    words: `${words} ${entity.words}`,
    icon,
    keys: [],
    entity,
    run: () => runAction(name, entity),
  }));

const actionWords = new Set(
  Object.values(actionsByKind).flatMap((list) =>
    list.flatMap(({ verb, words }: ActionSpec) => searchWords(`${verb} ${words}`.replaceAll('…', ''))),
  ),
);
const minPrefixLength = 3;
const isActionWord = (word: string) =>
  actionWords.has(word) || (word.length >= minPrefixLength && [...actionWords].some((other) => other.startsWith(word)));

/** "exemple.fr" of "sauvegarder exemple.fr"; undefined where the query has no action word, or nothing but action words. */
export function withoutActionWords(query: string): string | undefined {
  const words = searchWords(query);
  const rest = words.filter((word) => !isActionWord(word));
  return rest.length === 0 || rest.length === words.length ? undefined : rest.join(' ');
}
