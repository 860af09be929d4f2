/** The incidents of domains follow what is known of the domain and its sites, not what was counted: a site may leave it. */
import type { EntityManager } from 'typeorm';

/** SQL for the id of a domain as the cause of what its sites of one owner have: nobody acts on what is somebody else's. */
export const domainCause = (domain: string, owner: string): string => `md5(${domain}::text || ${owner}::text)::uuid`;

/** In days: registrars remind their customers a month before. */
const dueDays = 30;

/** SQL condition: the domain ends soon, or is about to be given up, whatever its date says. */
export const endsSoon = (domain: string): string =>
  `(${domain}.phase = 'lapsed' or ${domain}.expires_at < now() + interval '${dueDays} days')`;

const lapsed = 'Le registre va le libérer\u00a0: il faut le racheter au plus vite.';

/** SQL for what is told of the end of a domain. The date of one that is about to be given up says nothing. */
export const domainEvidence = (domain: string): string => `jsonb_build_object('code', null,
  'reason', case ${domain}.phase when 'lapsed' then '${lapsed}' else ${domain}.registrar end,
  'ends_at', case when ${domain}.phase <> 'lapsed'
    then to_char(${domain}.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end)`;

/** SQL condition: this site is still one of those that the incident of a domain is about. */
export const isOfDomain = (site: string, incident: string): string => `exists (
  select from site_domains l join sites s on s.id = l.site_id
  where l.site_id = ${site} and ${domainCause('l.domain_id', 's.owner_id')} = ${incident}.cause_id)`;

const hasLeft = `i.id = o.incident_id and i.kind = 'domain' and i.resolved_at is null and o.until is null
  and not ${isOfDomain('o.subject_id', 'i')}`;

/** Whether a site has left the domain, or its owner, of an open incident. */
export async function haveSitesLeft(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query(`select from incidents i, incident_subjects o where ${hasLeft} limit 1`);
  return rows.length > 0;
}

/** Returns the incidents that sites were taken out of. The caller holds the lock of incidents. */
export async function takeOutLeftSites(manager: EntityManager): Promise<string[]> {
  const [ended]: [{ incident_id: string }[], number] = await manager.query(
    `update incident_subjects o set until = now() from incidents i where ${hasLeft} returning o.incident_id`,
  );
  return [...new Set(ended.map(({ incident_id: id }) => id))];
}
