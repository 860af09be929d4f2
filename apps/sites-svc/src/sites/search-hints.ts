import { foldText } from '@vigie/contracts/search-text';
import { type NamedTokenKey, namedTokenKeys, parseSiteQuery } from '@vigie/contracts/site-search';
import type { SearchHint } from '@vigie/contracts/sites';
import { isNarrowed } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { reachingCaller } from '../owners/reach';
import { namedThings } from './names';

const maxChoices = 8;
/** Names that are compared with a misspelt one. */
const maxNames = 2_000;

/** Names the filters of a search that match no group, server or plugin of the caller. */
export async function explainSearch(manager: EntityManager, q: string): Promise<SearchHint[]> {
  const hints: SearchHint[] = [];
  for (const token of parseSiteQuery(q).tokens) {
    const key = namedTokenKeys.find((known) => known === token.key);
    if (key === undefined || !('name' in token)) continue;
    const names = await namesUnless(manager, key, foldText(token.name));
    if (names) hints.push({ key, value: token.name, choices: nearest(token.name, names).slice(0, maxChoices) });
  }
  return hints;
}

const ownHosts = () => `or exists (select from sites s
  where (cast($1 as uuid) is null or s.owner_id = $1) and s.server_id is null and ${!isNarrowed()}
    and strpos(lower(s.host), $2) > 0)`;

/** The names of this kind, or undefined when one of them holds the text. */
async function namesUnless(manager: EntityManager, key: NamedTokenKey, text: string): Promise<string[] | undefined> {
  const { from, text: searched, label, order } = namedThings[key];
  const caller = reachingCaller();
  const [answer]: { is_found: boolean }[] = await manager.query(
    `select exists (select from ${from()} and strpos(${searched}, $2) > 0) ${key === 'serveur' ? ownHosts() : ''} as is_found`,
    [caller, text],
  );
  if (answer?.is_found) return undefined;
  const rows: { name: string }[] = await manager.query(
    `select ${label} as name from ${from()} order by ${order} limit ${maxNames}`,
    [caller],
  );
  return rows.map(({ name }) => name);
}

function pairsOf(text: string): Set<string> {
  const folded = ` ${foldText(text)} `;
  return new Set(Array.from({ length: folded.length - 1 }, (_, at) => folded.slice(at, at + 2)));
}

/** Sorts names by how many pairs of letters they share with the text; equal ones keep their order. */
export function nearest(text: string, names: readonly string[]): string[] {
  const wanted = pairsOf(text);
  const likeness = (name: string) => {
    const pairs = pairsOf(name);
    return (2 * [...pairs].filter((pair) => wanted.has(pair)).length) / (pairs.size + wanted.size);
  };
  return names
    .map((name) => ({ name, rank: likeness(name) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ name }) => name);
}
