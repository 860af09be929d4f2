import type { OwnerPlan } from '@vigie/contracts/owner-changes';
import { plural } from '../../ui/plural';
import type { Target } from './owner-changes.api';

const list = new Intl.ListFormat('fr-FR');
const maxNames = 5;

type Names = OwnerPlan['sites'];

const articles = { site: 'le site', server: 'le serveur', group: 'le groupe' } as const;

/** "le site Vitrine", "3 sites". */
export const nameTarget = ({ kind, ids, name }: Pick<Target, 'kind' | 'ids' | 'name'>): string =>
  name === undefined ? plural(ids.length, 'site', 'sites') : `${articles[kind]} ${name}`;

/** "Le site Vitrine est confié à Zoé." */
export function givenSentence(target: Target, person: string): string {
  const what = nameTarget(target);
  const isMany = target.ids.length > 1;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} ${isMany ? 'sont confiés' : 'est confié'} à ${person}.`;
}

/** "a, b et 12 autres". */
function listNames({ names, total }: Names): string {
  const shown = names.slice(0, maxNames);
  const more = total - shown.length;
  return list.format([...shown, ...(more > 0 ? [plural(more, 'autre', 'autres')] : [])]);
}

const counted = (names: Names, one: string, many: string): string[] =>
  names.total === 0 ? [] : [`${plural(names.total, one, many)} (${listNames(names)})`];

/** What a change of owner does, a sentence each. */
export function planSentences(plan: OwnerPlan, person: string): string[] {
  const { sites, servers, groups, left_groups: left, grants, jobs } = plan;
  const passing = [
    ...counted(groups, 'groupe', 'groupes'),
    ...counted(servers, 'serveur', 'serveurs'),
    ...counted(sites, 'site', 'sites'),
  ];
  return [
    `Passera à ${person}\u00a0: ${list.format(passing)}.`,
    ...(left.total > 0 ? [`Sortira de ces groupes, qui ne changent pas de main\u00a0: ${listNames(left)}.`] : []),
    ...(sites.total > 0
      ? ['Un lien avec une zone DNS est défait\u00a0: les zones et leurs enregistrements restent comme ils sont.']
      : []),
    ...(grants > 0 ? [`${plural(grants, 'partage reste', 'partages restent')}, avec les mêmes accès.`] : []),
    ...(jobs > 0 ? [`${plural(jobs, 'tâche en cours ira à son terme', 'tâches en cours iront à leur terme')}.`] : []),
  ];
}

/** Where Vigie will not connect any more, unless its settings allow it. */
export const privateSentence = ({ private_hosts: hosts }: OwnerPlan, person: string): string =>
  `${plural(hosts.total, 'adresse est privée', 'adresses sont privées')} (${listNames(hosts)})\u00a0: comme ${person} n’administre pas Vigie, la connexion y sera refusée, sauf si VIGIE_SSH_ALLOW la permet.`;
