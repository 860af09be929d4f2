import type { Input } from '@vigie/contracts/contract';
import type { Certificate, reportVisits } from '@vigie/contracts/site-checks';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import { checkSeconds } from '../sweeps/schedule';

type Check = Input<typeof reportVisits>['items'][number] & { seconds: number };

const checks: Checks = { kind: 'certificate', subjectKind: 'site', seconds: checkSeconds('site-visit') };
/** A certificate that renews itself does so a month before its end. */
const [dueDays, dayMs] = [21, 86_400_000];

/** Stores the certificates of sites, and counts those that end soon. A site without HTTPS needs none. */
export async function countCertificates(manager: EntityManager, items: readonly Check[]): Promise<boolean> {
  const shown = items.flatMap(({ id, certificate }) => (certificate ? [{ id, ...certificate }] : []));
  const intervals = new Map(items.map(({ id, seconds }) => [id, seconds]));
  await saveCertificates(manager, shown);
  const failures = shown.filter(endsSoon).map(({ id, ends_at: endsAt, issuer }) => ({
    id,
    seconds: intervals.get(id) ?? checks.seconds,
    evidence: { code: null, reason: issuer, ends_at: endsAt },
  }));
  const withoutHttps = items.filter(
    ({ url, certificate, seen }) => !certificate && seen.code > 0 && !url.startsWith('https:'),
  );
  const good = [...shown.filter((certificate) => !endsSoon(certificate)), ...withoutHttps].map(({ id }) => id);
  const mustOpen = await countFailures(manager, checks, failures);
  return (await countSuccesses(manager, checks, good)) || mustOpen;
}

/** Certificates of a few days are renewed after two thirds of them. */
function endsSoon({ starts_at: startsAt, ends_at: endsAt }: Certificate): boolean {
  const thirdMs = startsAt === null ? Number.POSITIVE_INFINITY : (Date.parse(endsAt) - Date.parse(startsAt)) / 3;
  return Date.parse(endsAt) < Date.now() + Math.min(dueDays * dayMs, thirdMs);
}

type SiteCertificate = Certificate & { id: string };

async function saveCertificates(manager: EntityManager, certificates: readonly SiteCertificate[]): Promise<void> {
  if (certificates.length === 0) return;
  await manager.query(
    `insert into site_certificates as c (site_id, ends_at, issuer)
     select s.id, r.ends_at, r.issuer
     from jsonb_to_recordset($1::jsonb) as r(id uuid, ends_at timestamptz, issuer text) join sites s on s.id = r.id
     order by s.id
     on conflict (site_id) do update set ends_at = excluded.ends_at, issuer = excluded.issuer, found_at = now()
     where (c.ends_at, c.issuer) is distinct from (excluded.ends_at, excluded.issuer)`,
    [toJsonb(certificates)],
  );
}
