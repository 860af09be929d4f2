import { addressOf, changed, honest, type Making } from './cases';
import { paramsIn, takesBody } from './routes';
import type { Field } from './schemas';
import type { Case } from './send';

/** What each name of a field names, by its name among the ids of a garden. */
const named: Readonly<Record<string, string>> = {
  server_id: 'server_id',
  site_id: 'site_id',
  site_ids: 'site_id',
  group_id: 'group_id',
  groups: 'group_id',
  parent_id: 'group_id',
  upload_id: 'upload_id',
  owner_id: 'owner_id',
};

/** A view keeps the names of a group and a server as they were said: what it shows is looked for among one's own. */
const kept = new Set(['POST /api/site-views', 'PUT /api/site-views/{id}']);

const ids = ['7b0e6a1c-1f0e-4c5e-9d3a-5b1f0c9e2d10', 'f'.repeat(32)];
const words = ['phare', 'phare-et-balise-2026'];

/** Whether it takes an id and no other words, a password's neither. */
export const isId = ({ schema }: Field): boolean =>
  ids.some((id) => schema.safeParse(id).success) && !words.some((word) => schema.safeParse(word).success);

/** The kind of thing that a field names; of several in a list, by what they are called or what the route is of. */
export function namedBy({ path }: Pick<Field, 'path'>, route: string): string | undefined {
  const name = path.findLast((key) => typeof key === 'string');
  if (name === 'ids') return route.includes('/servers') ? 'server_id' : 'site_id';
  return typeof name === 'string' ? named[name] : undefined;
}

/**
 * For each place of a request that names something: the request as its route takes it, but that this is somebody else's.
 * To be done is a finding, whoever the rest of it belongs to. What only looks finds nothing there, and may say so: then its
 * answer does not hold that id.
 */
export function foreignCases(making: Making, others: Readonly<Record<string, string>>): Case[] {
  const { route, fields, params, query, body } = making.target;
  if (route.access === 'admin' || kept.has(route.key) || typeof body === 'string') return [];
  const own = new Set(paramsIn(route.path));
  return fields.filter(isId).flatMap((field): Case[] => {
    const { path } = field;
    const foreign = others[namedBy(field, route.key) ?? ''];
    if (foreign === undefined || own.has(String(path[0]))) return [];
    const sent = honest(making, 'identifiant d’autrui');
    if (takesBody(route))
      return [{ ...sent, mayPass: false, body: JSON.stringify(changed(body ?? {}, path, foreign)) }];
    const name = String(path[0]);
    const rest = Object.entries(query).filter(([each]) => each !== name);
    return [{ ...sent, path: addressOf(route, params, [...rest, [name, foreign]]), foreign }];
  });
}
