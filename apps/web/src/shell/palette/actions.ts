import { createBackup } from '@vigie/contracts/backups';
import { applyUpdates } from '@vigie/contracts/changes';
import type { Contract } from '@vigie/contracts/contract';
import { restoreBackup } from '@vigie/contracts/restores';
import { checkForRepairs } from '@vigie/contracts/site-repairs';
import { editSite, testSite } from '@vigie/contracts/sites';
import { FolderTree, Globe, ListChecks, type LucideIcon, PanelsTopLeft, Puzzle, Server } from 'lucide-react';
import type { SiteRights } from '../../kit/fleet/roles';
import { withDe } from '@vigie/contracts/french';
import { formatNumber } from '../../ui/plural';
import type { BatchVerb } from '../layout/overlays';
import type { Entity, Kind } from './entities';
import type { Command } from './match';
import { type VerbName, verbs } from './verbs';

/** What can be done to an entity of each kind, the usual first. */
const verbsByKind: Readonly<Record<Kind, readonly Exclude<VerbName, 'open'>[]>> = {
  site: ['backup', 'update', 'repair', 'login', 'test', 'console', 'restore', 'edit'],
  server: ['console', 'test', 'discover', 'sites', 'edit'],
  group: ['sites', 'edit'],
  plugin: [],
  zone: [],
};

const icons: Readonly<Record<Kind, LucideIcon>> = {
  site: PanelsTopLeft,
  server: Server,
  group: FolderTree,
  plugin: Puzzle,
  zone: Globe,
};

export type Runner = {
  act: (verb: VerbName, entity: Entity) => void;
  /** Opens the dialog of an action on several sites. */
  batch: (verb: BatchVerb, siteIds: readonly string[]) => void;
  /** Opens the list of sites with this search. */
  list: (q: string) => void;
  /** Absent where the user may do everything. */
  rights?: SiteRights;
};

export const openCommand = (entity: Entity, runner: Runner): Command => ({
  id: `${entity.kind} ${entity.id}`,
  label: entity.name,
  detail: entity.detail,
  words: entity.words,
  icon: icons[entity.kind],
  keys: [],
  entity,
  run: () => runner.act('open', entity),
});

/** What a verb asks of the server; the others only open something. */
const callsByVerb: Partial<Record<VerbName, Pick<Contract, 'grantRole'>>> = {
  backup: createBackup,
  update: applyUpdates,
  repair: checkForRepairs,
  test: testSite,
  restore: restoreBackup,
  edit: editSite,
};

function mayDo(verb: VerbName, siteId: string, { rights }: Runner): boolean {
  const call = callsByVerb[verb];
  return !rights || !call || rights(siteId, call);
}

function canDo(verb: VerbName, { kind, id, server_id: serverId }: Entity, runner: Runner): boolean {
  if (kind !== 'site') return true;
  return verb === 'console' ? typeof serverId === 'string' : mayDo(verb, id, runner);
}

const actionCommand = (verb: VerbName, entity: Entity, runner: Runner): Command => ({
  id: `${verb} ${entity.kind} ${entity.id}`,
  label: `${verbs[verb].label} ${entity.name}`,
  detail: entity.detail,
  words: `${verbs[verb].words} ${entity.words}`,
  icon: verbs[verb].icon,
  keys: [],
  entity,
  run: () => runner.act(verb, entity),
});

/** The actions on all of these, the usual ones first: the console of a server comes before that of a site. */
export const actionCommands = (entities: readonly Entity[], runner: Runner): Command[] =>
  entities
    .flatMap((entity) =>
      verbsByKind[entity.kind]
        .filter((verb) => canDo(verb, entity, runner))
        .map((verb, place) => ({ place, command: actionCommand(verb, entity, runner) })),
    )
    .sort((a, b) => a.place - b.place)
    .map(({ command }) => command);

const batchVerbs = ['backup', 'update', 'test'] as const;

/** `name`: "ces 3 sites". An empty set of verbs stands for all of them. */
export const batchCommands = (
  siteIds: readonly string[],
  name: string,
  runner: Runner,
  only: ReadonlySet<VerbName> = new Set(),
): Command[] =>
  batchVerbs
    .filter((verb) => only.size === 0 || only.has(verb))
    .filter((verb) => siteIds.every((id) => mayDo(verb, id, runner)))
    .map((verb) => ({
      id: `${verb} ${name}`,
      label: `${verbs[verb].label.replace('…', '')} ${name}…`,
      words: verbs[verb].words,
      icon: verbs[verb].icon,
      keys: [],
      run: () => runner.batch(verb, siteIds),
    }));

/** Sites that a search finds: those of a group or a server, or those that its filters leave. */
export type FoundSites = { ids: readonly string[]; total: number; of: string | undefined; q: string | undefined };

const countOf = (count: number, suffix: string) =>
  count === 1 ? `le site${suffix}` : `les ${formatNumber(count)} sites${suffix}`;

/** "Sauvegarder les 8 sites de Vitrines…" */
export function foundCommands(
  { ids, total, of, q }: FoundSites,
  runner: Runner,
  only: ReadonlySet<VerbName>,
): Command[] {
  if (ids.length === 0) return [];
  const suffix = of === undefined ? (ids.length === 1 ? ' trouvé' : ' trouvés') : ` ${withDe(of)}`;
  const isCut = ids.length < total;
  const name = isCut ? `les ${formatNumber(ids.length)} premiers sites${suffix}` : countOf(ids.length, suffix);
  const commands = batchCommands(ids, name, runner, only);
  if (q === undefined || only.size > 0) return commands;
  const list = { id: `list ${q}`, label: `Voir ${countOf(total, suffix)}`, words: '', icon: ListChecks, keys: [] };
  return [{ ...list, run: () => runner.list(q) }, ...commands];
}
