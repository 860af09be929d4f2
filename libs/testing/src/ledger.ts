import { randomUUID } from 'node:crypto';
import { type ClaimedJob, claimJob, finishJob } from '@vigie/contracts/jobs';
import { connectBus, type TestBus } from './bus';
import type { TestDatabase } from './database';
import { untilOutboxRead } from './outbox';
import { admin, type Answer, type RequestOptions, TestProduct } from './product';
import { until } from './until';

type Fields = Partial<{
  lane: string;
  /** Gives each job a separate lane, with `lane` as prefix. */
  hasOwnLane: boolean;
  queue: string;
  siteId: string;
  isExclusive: boolean;
  isHeavy: boolean;
  batchId: string;
  n: number;
}>;
type ServerFields = { name?: string; host?: string };
export type ClaimedJobRef = { id: string; fence: number };
type Row = { attempts: number; state: string; isDispatched: boolean; fence: number };

/** The jobs of sites-svc from outside: the test inserts jobs as a feature does and acts as the only agent. */
export class TestLedger {
  private constructor(
    readonly product: TestProduct,
    readonly agent: TestBus,
    readonly root: string,
    readonly server: { id: string; owner: string },
  ) {}

  static async start(env?: Record<string, string>): Promise<TestLedger> {
    const apps = ['gateway', 'auth-svc', 'sites-svc'] as const;
    const product = env ? await TestProduct.start(apps, env) : await TestProduct.shared(apps);
    const root = await product.login();
    const { rows } = await product.database.query('select id from auth.users where email = $1', [admin.email]);
    const owner = String(rows[0]?.id);
    const server = { id: await insertServer(product, owner, {}), owner };
    await untilOutboxRead(product.database);
    const agent = await connectBus(product.keys['ssh-agent']);
    return new TestLedger(product, agent, root, server);
  }

  async stop(): Promise<void> {
    await this.agent.close();
    await this.product.stop();
  }

  async rows<T>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await this.product.database.query(sql, values)).rows as T[];
  }

  async insertJobs(fields: Fields = {}) {
    const { lane = '10.0.0.9:22', hasOwnLane = false, queue = 'site-ops', siteId, batchId, n = 1 } = fields;
    const { isExclusive = false, isHeavy = false } = fields;
    const { id, owner } = this.server;
    if (siteId !== undefined) await this.addSite(siteId);
    const inserted = await this.rows<{ id: string }>(
      `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, site_id, batch_id, queue, lane, is_exclusive, is_heavy, input)
       select gen_random_uuid(), 'trial', $1, $1, $2, $3, $4, $5, $6 || case when $7 then n::text else '' end, $8, $9, '{}'
       from generate_series(1, $10::int) n returning id`,
      [owner, id, siteId ?? null, batchId ?? null, queue, lane, hasOwnLane, isExclusive, isHeavy, n],
    );
    return inserted.map((job) => job.id);
  }

  private addSite(id: string) {
    return this.rows(
      `insert into sites.sites (id, owner_id, name, url, server_id, wp_path)
       values ($1, $2, 's', 'https://exemple.fr', $3, '/srv/s') on conflict do nothing`,
      [id, this.server.owner, this.server.id],
    );
  }

  async one(fields: Fields = {}): Promise<string> {
    return (await this.insertJobs(fields))[0] ?? '';
  }

  async orderBatch(n: number): Promise<{ id: string; children: string[] }> {
    const id = randomUUID();
    await this.rows(
      `insert into sites.jobs (id, kind, owner_id, actor_id, is_batch, queue, lane, is_exclusive, is_heavy, input)
       values ($1, 'trial', $2, $2, true, 'site-ops', '', false, false, '{}')`,
      [id, this.server.owner],
    );
    return { id, children: await this.insertJobs({ batchId: id, n }) };
  }

  undispatched<T>(work: () => Promise<T>): Promise<T> {
    return withoutDispatch(this.product.database, work);
  }

  async rowOf(id: string): Promise<Row> {
    const [row] = await this.rows<Row>(
      'select attempts, state, fence, dispatched_at is not null as "isDispatched" from sites.jobs where id = $1',
      [id],
    );
    if (!row) throw new Error('no such job');
    return row;
  }

  async isDispatched(id: string): Promise<boolean> {
    return (await this.rowOf(id)).isDispatched;
  }

  async countDispatched(lane: string): Promise<number | undefined> {
    const [row] = await this.rows<{ n: number }>(
      'select count(*)::int as n from sites.jobs where lane = $1 and dispatched_at is not null',
      [lane],
    );
    return row?.n;
  }

  async claim(id: string, attempt?: number, kinds = ['trial']): Promise<ClaimedJob | null> {
    await until(() => this.isDispatched(id));
    const claimedAttempt = attempt ?? (await this.rowOf(id)).attempts;
    const { job } = await this.agent.call(claimJob, { id, attempt: claimedAttempt, agent: 'a', kinds });
    return job;
  }

  async begin(id: string, kinds?: string[]): Promise<ClaimedJob> {
    const job = await this.claim(id, undefined, kinds);
    if (!job) throw new Error('not claimed');
    return job;
  }

  async hold(id: string): Promise<ClaimedJobRef> {
    const { fence } = await this.begin(id);
    return { id, fence };
  }

  finish({ id, fence }: ClaimedJobRef, state: 'succeeded' | 'failed' | 'cancelled' = 'succeeded') {
    const result = state === 'succeeded' ? { n: 1 } : null;
    const error = state === 'failed' ? { message: 'non' } : null;
    return this.agent.call(finishJob, { id, fence, state, result, error });
  }

  /** Expires a job's lease, as if its worker had died half a minute ago. */
  expireLease(id: string) {
    return this.rows("update sites.jobs set lease_until = now() - interval '1 second' where id = $1", [id]);
  }

  async leaseSecondsLeft(id: string): Promise<number> {
    const [row] = await this.rows<{ left: number }>(
      'select extract(epoch from lease_until - now())::int as left from sites.jobs where id = $1',
      [id],
    );
    return row?.left ?? 0;
  }

  createServer(owner: string, fields: ServerFields): Promise<string> {
    return insertServer(this.product, owner, fields);
  }

  /** Sends a request as the owner, unless the options have another token. */
  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.product.request(method, `/api${path}`, { token: this.root, ...options });
  }

  async createSite(name: string, { url = 'https://exemple.fr', path = '/srv/www' } = {}): Promise<string> {
    const connection = { ssh: { server_id: this.server.id, wp_path: path } };
    const { body, text } = await this.request('POST', '/sites', { body: { name, url, connection } });
    if (typeof body['id'] !== 'string') throw new Error(text);
    return body['id'];
  }

  read(id: string, query = ''): Promise<Answer> {
    return this.request('GET', `/jobs/${id}${query}`);
  }

  act(id: string, verb: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', `/jobs/${id}/${verb}`, { headers });
  }
}

async function insertServer(
  { database }: TestProduct,
  owner: string,
  { name = 'web', host = '10.0.0.9' }: ServerFields,
) {
  const { rows } = await database.query<{ id: string }>(
    `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key)
     values (gen_random_uuid(), $1, $2, $3, 22, 'root', 'prod', '{"protected": "", "iv": "", "ciphertext": "", "tag": ""}',
       'password', 'ssh-ed25519 AAAA') returning id`,
    [owner, name, host],
  );
  return rows[0]?.id ?? '';
}

/** Holds the dispatcher's lock during the work, so that no job is dispatched or taken back. */
export async function withoutDispatch<T>({ query }: Pick<TestDatabase, 'query'>, work: () => Promise<T>): Promise<T> {
  await query("select pg_advisory_lock(hashtext('sites.dispatch'))");
  try {
    return await work();
  } finally {
    await query("select pg_advisory_unlock(hashtext('sites.dispatch'))");
  }
}
