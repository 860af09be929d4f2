import { requestPath, setAtPath, validRequest, type CaseContext } from './cases';
import { paramsIn, takesBody } from './routes';
import type { Field } from './schemas';
import type { HostileRequest } from './send';

const idKinds: Readonly<Record<string, string>> = {
  server_id: 'server_id',
  site_id: 'site_id',
  site_ids: 'site_id',
  expected: 'site_id',
  named_site_ids: 'site_id',
  group_id: 'group_id',
  groups: 'group_id',
  group_ids: 'group_id',
  parent_id: 'group_id',
  upload_id: 'upload_id',
  owner_id: 'owner_id',
};

/** A view stores ids of groups and servers unchecked, because it only shows the user's own sites. */
const uncheckedRoutes = new Set(['POST /api/site-views', 'PUT /api/site-views/{id}']);

const ids = ['7b0e6a1c-1f0e-4c5e-9d3a-5b1f0c9e2d10', 'f'.repeat(32)];
const otherTexts = ['phare', 'phare-et-balise-2026'];

/** Whether the field accepts ids and no other texts. */
export const isId = ({ schema }: Field): boolean =>
  ids.some((id) => schema.safeParse(id).success) && !otherTexts.some((word) => schema.safeParse(word).success);

/** The kind of object that a field names; for `ids`, the route decides. */
export function idKind({ path }: Pick<Field, 'path'>, route: string): string | undefined {
  const name = path.findLast((key) => typeof key === 'string');
  if (name === 'ids') return route.includes('/servers') ? 'server_id' : 'site_id';
  return typeof name === 'string' ? idKinds[name] : undefined;
}

/**
 * Creates a valid request for each id field, with the id of somebody else's object. Granting a change is a finding. A read
 * may be granted if its answer does not contain that id.
 */
export function foreignCases(context: CaseContext, foreignIds: Readonly<Record<string, string>>): HostileRequest[] {
  const { route, fields, params, query, body } = context.target;
  if (route.access === 'admin' || uncheckedRoutes.has(route.key) || typeof body === 'string') return [];
  const pathParams = new Set(paramsIn(route.path));
  return fields.filter(isId).flatMap((field): HostileRequest[] => {
    const { path } = field;
    const foreign = foreignIds[idKind(field, route.key) ?? ''];
    if (foreign === undefined || pathParams.has(String(path[0]))) return [];
    const request = validRequest(context, 'identifiant d’autrui');
    if (takesBody(route))
      return [{ ...request, mayPass: false, body: JSON.stringify(setAtPath(body ?? {}, path, foreign)) }];
    const name = String(path[0]);
    const rest = Object.entries(query).filter(([other]) => other !== name);
    return [{ ...request, path: requestPath(route, params, [...rest, [name, foreign]]), foreign }];
  });
}
