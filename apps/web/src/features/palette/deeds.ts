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

type Deed = { does: string; verb: string; words: string; icon: LucideIcon };

const edit = { does: 'edit', verb: 'Modifier…', words: 'éditer réglages', icon: Pencil } as const;
const sites = { does: 'sites', verb: 'Voir les sites de', words: 'liste', icon: PanelsTopLeft } as const;

/** What can be done to each kind, beside opening it. */
const deeds = {
  site: [
    { does: 'backup', verb: 'Sauvegarder…', words: 'backup copie', icon: PackageOpen },
    { does: 'update', verb: 'Mettre à jour…', words: 'maj update', icon: RefreshCw },
    edit,
  ],
  server: [
    { does: 'console', verb: 'Ouvrir la console de', words: 'terminal ssh shell', icon: SquareTerminal },
    sites,
    edit,
  ],
  group: [sites, edit],
  plugin: [],
  zone: [],
} as const satisfies Record<Kind, readonly Deed[]>;

const icons: Readonly<Record<Kind, LucideIcon>> = {
  site: PanelsTopLeft,
  server: Server,
  group: FolderTree,
  plugin: Puzzle,
  zone: Globe,
};

export type Does = 'open' | (typeof deeds)[Kind][number]['does'];
/** Whoever knows the pages does it. */
export type Act = (does: Does, entity: Entity) => void;

export const openingOf = (entity: Entity, act: Act): Command => ({
  id: `${entity.kind} ${entity.id}`,
  label: entity.name,
  detail: entity.detail,
  words: entity.words,
  icon: icons[entity.kind],
  keys: [],
  entity,
  run: () => act('open', entity),
});

type Action = Deed & { does: Does };

export const actionsOf = (entity: Entity, act: Act): Command[] =>
  deeds[entity.kind].map(({ does, verb, words, icon }: Action) => ({
    id: `${does} ${entity.kind} ${entity.id}`,
    label: `${verb} ${entity.name}`,
    detail: entity.detail,
    words: `${words} ${entity.words}`,
    icon,
    keys: [],
    entity,
    run: () => act(does, entity),
  }));

const spoken = new Set(
  Object.values(deeds).flatMap((list) =>
    list.flatMap(({ verb, words }: Deed) => searchWords(`${verb} ${words}`.replaceAll('…', ''))),
  ),
);
const shortest = 3;
const isSpoken = (word: string) =>
  spoken.has(word) || (word.length >= shortest && [...spoken].some((other) => other.startsWith(word)));

/** What remains of "sauvegarder exemple.fr" without what is to be done; undefined where nothing else does, or is. */
export function aboutOf(query: string): string | undefined {
  const words = searchWords(query);
  const rest = words.filter((word) => !isSpoken(word));
  return rest.length === 0 || rest.length === words.length ? undefined : rest.join(' ');
}
