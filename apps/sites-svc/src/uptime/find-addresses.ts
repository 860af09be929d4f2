import type { SiteAddresses } from '@vigie/contracts/uptime';
import type { EntityManager } from 'typeorm';

type Row = Omit<SiteAddresses, 'changed_at'> & { host: string; url: string; changed_at: Date | null };

/** Where the name of a site leads; null before a visit has learned it. */
export async function findAddresses(manager: EntityManager, siteId: string): Promise<SiteAddresses | null> {
  const [row]: Row[] = await manager.query(
    `select a.host, s.url, a.current, a.previous, a.changed_at
     from site_addresses a join sites s on s.id = a.site_id where a.site_id = $1`,
    [siteId],
  );
  if (!row || new URL(row.url).hostname !== row.host) return null;
  const { current, previous, changed_at: changedAt } = row;
  return { current, previous, changed_at: changedAt?.toISOString() ?? null };
}
