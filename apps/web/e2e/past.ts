import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { Client } from 'pg';
import { env } from './env';
import { test as base } from './machines';

type Subject = { kind: 'site' | 'server'; id: string; name: string };
type Cause = Subject | { kind: 'domain'; id: string; name: string };
type PastIncident = {
  kind?: 'outage' | 'certificate' | 'domain';
  cause: Cause;
  /** The cause itself without others. */
  subjects?: Cause[];
  /** Minutes ago. */
  since: number;
  until?: number;
  /** The incident of the server that it became a part of when it ended. */
  mergedInto?: string;
  evidence: object;
  opinion?: object;
};

/** Writes into the database what takes hours or days to come about. */
class Past {
  constructor(private readonly client: Client) {}

  async addIncident({ kind = 'outage', cause, subjects = [cause], since, until, ...rest }: PastIncident) {
    const { mergedInto = null, evidence, opinion } = rest;
    const id = randomUUID();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const end = until === undefined ? null : at(until);
    const severity = kind === 'outage' ? 'critical' : 'warning';
    await this.client.query(
      `insert into sites.incidents (id, kind, severity, cause_kind, cause_id, cause_name, observed_at, opened_at, resolved_at, resolution, merged_into)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        kind,
        severity,
        cause.kind,
        cause.id,
        cause.name,
        at(since),
        at(since - 2),
        end,
        end && (mergedInto === null ? 'recovered' : 'merged'),
        mergedInto,
      ],
    );
    for (const subject of subjects)
      await this.client.query(
        `insert into sites.incident_subjects (incident_id, kind, subject_id, name, since, until, evidence, opinion)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, subject.kind, subject.id, subject.name, at(since), end, evidence, opinion ?? null],
      );
    const events = [
      ['observed', at(since), evidence, null],
      ...(opinion ? [['opinion', at(since - 1), null, opinion]] : []),
      ['opened', at(since - 2), null, null],
      ...(end ? [[mergedInto === null ? 'resolved' : 'merged', end, null, null]] : []),
    ];
    for (const [event, time, found, answer] of events)
      await this.client.query(
        `insert into sites.incident_events (id, incident_id, kind, at, subject, evidence, opinion)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [randomUUID(), id, event, time, event === 'opinion' ? cause.name : null, found, answer],
      );
    return id;
  }

  /** A week of good checks, one bad day, and the last ones by the minute, two of which failed. */
  async addUptime(siteId: string): Promise<void> {
    const histogram = 'array[0, 0, 40, 10, 5, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0]';
    await this.client.query(
      `insert into sites.visit_quarters (site_id, at, slot, ups, downs, others, histogram)
       select $1, at, (extract(epoch from at)::bigint / 86400 % 10)::smallint, 58, 2, 0, ${histogram}
       from generate_series(date_bin('15 minutes', now() - interval '7 days', 'epoch'), now() - interval '30 minutes', '1 hour') at
       on conflict do nothing`,
      [siteId],
    );
    await this.client.query(
      `insert into sites.visit_days (site_id, at, ups, downs, others, histogram)
       select $1, at, 1420, 20, 0, ${histogram} from generate_series(date_trunc('day', now() - interval '80 days', 'UTC'), now(), '1 day') at
       on conflict do nothing`,
      [siteId],
    );
    await this.client.query(
      `insert into sites.visit_samples (site_id, at, slot, code, ms, state)
       select $1, at, (extract(epoch from at)::bigint / 3600 % 8)::smallint, case when n = 7 then 502 else 200 end, 120 + n,
         case when n = 7 then 1 when n = 9 then 2 else 0 end
       from generate_series(1, 20) n cross join lateral (select now() - n * interval '1 minute' as at) t on conflict do nothing`,
      [siteId],
    );
  }

  /**
   * The domain of the sites ends in six weeks, and their names lead to another address since an hour ago. Returns the id of
   * the domain as a cause of incidents.
   */
  async addNames(siteIds: string[], domain: string): Promise<string> {
    const { rows } = await this.client.query<{ cause: string }>(
      `with d as (
         insert into sites.domains (id, name, state, expires_at, registrar, checked_at, next_at)
         values (gen_random_uuid(), $2, 'known', now() + interval '45 days', 'OVH', now(), now() + interval '1 year')
         on conflict (name) do update set next_at = excluded.next_at returning id),
       linked as (
         insert into sites.site_domains (site_id, url, domain_id)
         select s.id, s.url, d.id from d, sites.sites s where s.id = any($1::uuid[])
         on conflict (site_id) do update set url = excluded.url, domain_id = excluded.domain_id),
       looked_up as (
         insert into sites.site_addresses (site_id, host, known, current, previous, changed_at, learned_at)
         select id, split_part(url, '/', 3), '{192.0.2.7}', '{192.0.2.1}', '{192.0.2.7}', now() - interval '1 hour', now()
         from sites.sites where id = any($1::uuid[]))
       select md5(d.id::text || s.owner_id::text)::uuid as cause from d, sites.sites s where s.id = any($1::uuid[])`,
      [siteIds, domain],
    );
    return rows[0]?.cause ?? '';
  }

  /** Vigie has updated the site ten minutes ago, and two visits have failed since. The agent makes the third one. */
  async failTwice(site: { id: string; name: string }, by: string): Promise<void> {
    await this.client.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, actor_name, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, started_at, finished_at)
       select gen_random_uuid(), 'changes.update', owner_id, owner_id, $2, id, name, 'site-ops', 'past', true, false, '{}', 'succeeded',
         now() - interval '10 minutes', now() - interval '9 minutes' from sites.sites where id = $1`,
      [site.id, by],
    );
    await this.client.query(
      `insert into sites.conditions (subject_kind, subject_id, kind, failures, successes, since, checked_at, evidence)
       values ('site', $1, 'outage', 2, 0, now() - interval '3 minutes', now() - interval '1 minute', '{"code": 500, "reason": null, "ends_at": null}')
       on conflict (subject_id, kind) do update set failures = 2, since = excluded.since, checked_at = excluded.checked_at`,
      [site.id],
    );
    await this.visitNow(site.id);
  }

  /** Has the site visited at once, as if a minute had passed since the last visit, and waits until it was counted. */
  async visitNow(siteId: string): Promise<void> {
    await this.client.query(
      "update sites.conditions set checked_at = checked_at - interval '1 minute' where subject_id = $1",
      [siteId],
    );
    await this.client.query("update sites.sweeps set next_at = now() where kind = 'site-visit' and target_id = $1", [
      siteId,
    ]);
    const isUncounted =
      "select from sites.conditions where subject_id = $1 and checked_at < now() - interval '30 seconds'";
    await expect.poll(async () => (await this.client.query(isUncounted, [siteId])).rowCount).toBe(0);
  }
}

export const test = base.extend<{ past: Past }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
  past: async ({}, use, story) => {
    story.skip(env.database === undefined, 'the address of the database is not known');
    const client = new Client({ connectionString: env.database });
    await client.connect();
    await use(new Past(client));
    await client.end();
  },
});
