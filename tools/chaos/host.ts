import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SshHost } from '@vigie/testing/sshd';
import { type Disk, type Effect, readEffects } from './audit';

type Query = (sql: string, values: unknown[]) => Promise<unknown>;
type TrialSite = { id: string; path: string };

/** A host of a trial with folders as sites, and the real effects of jobs on it. */
export class Host {
  readonly sites: readonly TrialSite[];

  constructor(
    readonly sshd: SshHost,
    readonly serverId: string,
    /** The port that the product connects to. */
    readonly port: number,
    siteCount: number,
  ) {
    this.sites = Array.from({ length: siteCount }, (_, n) => ({
      id: randomUUID(),
      path: join(sshd.home, `site ${n} é`),
    }));
    for (const { path } of this.sites) mkdirSync(path);
  }

  get log(): string {
    return join(this.sshd.home, 'effects.log');
  }

  effects(): Effect[] {
    return existsSync(this.log) ? readEffects(readFileSync(this.log, 'utf8')) : [];
  }

  disk(): Disk {
    const files = new Map<string, string>();
    const lines: string[] = [];
    for (const { path } of this.sites) {
      for (const name of readdirSync(path)) {
        const content = readFileSync(join(path, name));
        if (name === 'lines') lines.push(...content.toString().trim().split('\n'));
        else files.set(name, createHash('sha256').update(content).digest('hex'));
      }
    }
    return { lines, files };
  }

  /** Inserts sites that only the jobs of the trial use. */
  async addSites(query: Query): Promise<void> {
    await query(
      `insert into sites.sites (id, owner_id, name, url, server_id, wp_path)
       select r.id, s.owner_id, r.path, 'http://127.0.0.1', s.id, r.path
       from jsonb_to_recordset($1::jsonb) as r(id uuid, path text) join sites.servers s on s.id = $2`,
      [JSON.stringify(this.sites), this.serverId],
    );
  }
}

type TrialJob = { id: string; kind: string; site: TrialSite; seconds: number };

/** Inserts trial jobs as a feature inserts its own: they are accepted once committed. */
export async function addTrialJobs(
  query: Query,
  host: Host,
  trials: readonly TrialJob[],
  state: 'queued' | 'failed',
): Promise<void> {
  const rows = trials.map(({ id, kind, site, seconds }) => {
    return { id, kind: `trial.${kind}`, site: site.id, input: { folder: site.path, log: host.log, seconds } };
  });
  await query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, site_id, queue, lane, is_exclusive, is_heavy, input, state)
     select r.id, r.kind, s.owner_id, s.owner_id, s.id, r.site, 'site-ops', $3, true, false, r.input, $4
     from jsonb_to_recordset($1::jsonb) as r(id uuid, kind text, site uuid, input jsonb) join sites.servers s on s.id = $2
     on conflict (id) do nothing`,
    [JSON.stringify(rows), host.serverId, `127.0.0.1:${host.port}`, state],
  );
}
