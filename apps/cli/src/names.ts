import { listDnsZones } from '@vigie/contracts/dns-zones';
import { type Group, listGroups } from '@vigie/contracts/groups';
import { listServers, type Server } from '@vigie/contracts/servers';
import { listSites, type SiteItem } from '@vigie/contracts/sites';
import type { Cli } from './cli';
import { Failure, usage } from './failures';
import type { Words } from './language';

const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** `exemple.fr` for `https://exemple.fr/`: an address as a person types it. */
const bareAddress = (url: string): string =>
  fold(url)
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');

const maxCandidates = 8;

/** One thing by its id, or by a text that is exactly one of its names. What is named like several is never chosen. */
export function pick<T extends { id: string }>(
  word: string,
  things: readonly T[],
  { kind, namesOf }: { kind: Words; namesOf: (thing: T) => readonly string[] },
): T {
  const byId = things.find(({ id }) => id === word);
  if (byId) return byId;
  const wanted = [fold(word), bareAddress(word)];
  const found = things.filter((thing) =>
    namesOf(thing).some((name) => wanted.includes(fold(name)) || wanted.includes(bareAddress(name))),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  const near = things.filter((thing) => namesOf(thing).some((name) => fold(name).includes(fold(word))));
  const candidates = (found.length > 0 ? found : near).slice(0, maxCandidates);
  const list = candidates.map((thing) => `\n  ${thing.id}  ${namesOf(thing).join('  ')}`).join('');
  const several = found.length > 1;
  throw new Failure(
    'usage',
    {
      fr: `${several ? `Plusieurs ${kind.fr}s se nomment` : `Aucun ${kind.fr} ne se nomme`} «\u00a0${word}\u00a0».${list}`,
      en: `${several ? `Several ${kind.en}s are` : `No ${kind.en} is`} named “${word}”.${list}`,
    },
    { detail: { message: word, candidates: candidates.map(({ id }) => id) } },
  );
}

const siteKind = { kind: { fr: 'site', en: 'site' }, namesOf: ({ name, url }: SiteItem) => [name, url] };
const serverKind = { kind: { fr: 'serveur', en: 'server' }, namesOf: ({ name, host }: Server) => [name, host] };

export async function findServer(cli: Cli, word: string): Promise<Server> {
  return pick(word, (await cli.api.call(listServers, {})).items, serverKind);
}

export async function findSite(cli: Cli, word: string): Promise<SiteItem> {
  return pick(word, (await cli.api.call(listSites, {})).items, siteKind);
}

/** "Clients/Dupont": the names of a group and of those above it. */
export function pathOf(group: Group, groups: readonly Group[]): string {
  const above = groups.find(({ id }) => id === group.parent_id);
  return above ? `${pathOf(above, groups)}/${group.name}` : group.name;
}

export async function findGroup(cli: Cli, word: string): Promise<Group> {
  const groups = await cli.api.call(listGroups, {});
  const namesOf = (group: Group) => [...new Set([pathOf(group, groups), group.name])];
  // A whole path says more than a name that a group elsewhere has too.
  const byPath = groups.filter((group) => fold(pathOf(group, groups)) === fold(word));
  return pick(word, byPath.length === 1 ? byPath : groups, { kind: { fr: 'groupe', en: 'group' }, namesOf });
}

export async function findZone(cli: Cli, word: string) {
  const { zones } = await cli.api.call(listDnsZones, {});
  const things = zones.map((zone) => ({ ...zone, id: zone.ref }));
  return pick(word, things, {
    kind: { fr: 'domaine', en: 'zone' },
    namesOf: ({ name, display_name: displayName }) => [...new Set([displayName, name])],
  });
}

/** The sites that a command names one by one, or by `--group` with all below it. */
export async function findSites(cli: Cli): Promise<SiteItem[]> {
  const groupName = cli.value('group');
  const words = cli.given.parameters;
  if ((groupName === undefined) === (words.length === 0))
    throw usage('Nommez des sites, ou un groupe avec --group.', 'Name sites, or a group with --group.');
  if (groupName !== undefined) {
    const { id, name } = await findGroup(cli, groupName);
    const { items } = await cli.api.call(listSites, { group_id: id });
    if (items.length > 0) return items;
    throw usage(`Le groupe ${name} n’a pas de site.`, `The group ${name} has no site.`);
  }
  const { items } = await cli.api.call(listSites, {});
  return [...new Set(words.map((word) => pick(word, items, siteKind)))];
}
