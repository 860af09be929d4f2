import { randomUUID } from 'node:crypto';
import type { Person } from './people';
import type { TestProduct } from './product';

type Parts = { params: Record<string, string>; body?: object };

/** Stores a channel of the owner that writes mails, which needs no agent. */
async function storeChannel(product: TestProduct, { email }: Person): Promise<string> {
  const id = randomUUID();
  await product.database.query(
    `insert into sites.channels (id, owner_id, kind, name, time_zone, min_severity)
     select $1, id, 'mail', 'Alertes', 'Europe/Paris', 'warning' from auth.users where email = $2`,
    [id, email],
  );
  return id;
}

/** A channel of the owner, and a message that it sent, for each route that names one. */
export function channelRoutes(product: TestProduct): Record<string, (owner: Person) => Promise<Parts>> {
  const channel = async (owner: Person, body?: object) => ({
    params: { id: await storeChannel(product, owner) },
    ...(body && { body }),
  });
  return {
    'PUT /api/channels/{id}': (owner) => channel(owner, { name: 'autre' }),
    'DELETE /api/channels/{id}': (owner) => channel(owner),
    'POST /api/channels/{id}/test': (owner) => channel(owner, {}),
    'POST /api/deliveries/{id}/resend': async (owner) => {
      const { params } = await channel(owner);
      const id = randomUUID();
      await product.database.query(
        `insert into sites.deliveries (id, channel_id, kind, message_id, message, state, ended_at)
         values ($1, $2, 'test', $1, '{"kind": "test", "title": "Test", "lines": []}', 'sent', now())`,
        [id, params.id],
      );
      return { params: { id }, body: {} };
    },
  };
}
