import { domainToUnicode } from 'node:url';
import type { SiteDomain } from '@vigie/contracts/domains';
import type { EntityManager } from 'typeorm';

type Row = Omit<SiteDomain, 'expires_at' | 'checked_at'> & { expires_at: Date | null; checked_at: Date | null };

/** The registered domain of a site; null where it has none. */
export async function findDomain(manager: EntityManager, siteId: string): Promise<SiteDomain | null> {
  const [row]: Row[] = await manager.query(
    `select d.name, d.state, d.phase, d.expires_at, d.registrar, d.checked_at, d.error
     from site_domains l join sites s on s.id = l.site_id and s.url = l.url join domains d on d.id = l.domain_id
     where l.site_id = $1`,
    [siteId],
  );
  if (!row) return null;
  const { expires_at: expiresAt, checked_at: checkedAt, ...domain } = row;
  return {
    ...domain,
    name: domainToUnicode(domain.name) || domain.name,
    expires_at: expiresAt?.toISOString() ?? null,
    checked_at: checkedAt?.toISOString() ?? null,
  };
}
