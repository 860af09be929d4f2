import type { Person } from './people';
import type { TestProduct } from './product';

type Parts = { params: Record<string, string>; body?: unknown };

/** A published group of the owner, for each route that names the page of one. */
export function statusPageRoutes<P extends Parts>(
  product: TestProduct,
  openGroup: (owner: Person) => Promise<P>,
): Record<string, (owner: Person) => Promise<P>> {
  const page = async (owner: Person, body?: object) => {
    const group = await openGroup(owner);
    await product.database.query(
      `insert into sites.status_pages (id, group_id, secret_hash, title, shows_incidents, created_by)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'Nos sites', true, 'Anne')`,
      [group.params['id']],
    );
    return { ...group, ...(body && { body }) };
  };
  return {
    'GET /api/groups/{id}/status-page': (owner) => page(owner),
    'PUT /api/groups/{id}/status-page': (owner) => page(owner, { title: 'Autre', shows_incidents: false }),
    'POST /api/groups/{id}/status-page/renew': (owner) => page(owner, {}),
    'DELETE /api/groups/{id}/status-page': (owner) => page(owner),
  };
}
