import { type Person, sessionOf } from './people';
import type { TestProduct } from './product';

type Parts = { params: Record<string, string>; body?: unknown };

/** What a new site of the owner must show, and a maintenance of it, for each route that names them. */
export function checkRoutes<P extends Parts>(
  product: TestProduct,
  openSite: (owner: Person) => Promise<P>,
): Record<string, (owner: Person) => Promise<P>> {
  return {
    'GET /api/sites/{id}/checks': openSite,
    'PUT /api/sites/{id}/checks': async (owner) => ({
      ...(await openSite(owner)),
      body: { expected_text: 'Bienvenue à bord', redirects_to: null },
    }),
    'DELETE /api/maintenance-windows/{id}': async (owner) => {
      const site = await openSite(owner);
      const ends = new Date(Date.now() + 3_600_000).toISOString();
      const { body } = await product.requestPatiently('POST', '/api/maintenance-windows', {
        token: await sessionOf(product, owner),
        body: { site_id: site.params['id'], ends_at: ends },
      });
      return { ...site, params: { id: String(body['id']) } };
    },
  };
}
