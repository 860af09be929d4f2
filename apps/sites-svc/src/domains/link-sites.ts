import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import { countDomains } from './domain-conditions';
import { registeredDomain } from './registered-domain';

const maxAtOnce = 500;

/**
 * Notes the registered domain of sites that are new or have another address. A domain that is known already says at once
 * what it says of its other sites. Returns whether incidents may change.
 */
export async function linkSites(database: DataSource): Promise<boolean> {
  const sites: { id: string; url: string }[] = await database.query(
    `select s.id, s.url from sites s left join site_domains l on l.site_id = s.id
     where l.url is distinct from s.url limit ${maxAtOnce}`,
  );
  if (sites.length === 0) return false;
  const links = sites.map((site) => ({ ...site, domain: registeredDomain(site.url) }));
  const domainIds = await database.transaction((manager) => link(manager, links));
  return database.transaction((manager) => countDomains(manager, domainIds));
}

type Link = { id: string; url: string; domain: string | null };

/** Returns the domains that have other sites by now. */
async function link(manager: EntityManager, links: readonly Link[]): Promise<string[]> {
  // Who deletes a site holds it before its domain.
  await manager.query('select from sites where id = any($1::uuid[]) order by id for key share', [
    links.map(({ id }) => id),
  ]);
  const names = [...new Set(links.flatMap(({ domain }) => domain ?? []))].toSorted();
  // A domain that is known is locked, so that nobody deletes it as one without sites.
  await manager.query(
    `insert into domains (id, name) select * from unnest($1::uuid[], $2::text[])
     on conflict (name) do update set name = excluded.name`,
    [names.map(() => uuid()), names],
  );
  const linked: { domain_id: string | null }[] = await manager.query(
    `insert into site_domains as l (site_id, url, domain_id)
     select s.id, s.url, d.id from jsonb_to_recordset($1::jsonb) as r(id uuid, url text, domain text)
       join sites s on s.id = r.id and s.url = r.url left join domains d on d.name = r.domain
     order by s.id
     on conflict (site_id) do update set url = excluded.url, domain_id = excluded.domain_id
     returning l.domain_id`,
    [toJsonb(links)],
  );
  return [...new Set(linked.flatMap(({ domain_id: id }) => id ?? []))];
}
