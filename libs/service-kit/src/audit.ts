import { createHash } from 'node:crypto';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentContext } from './context';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const chainEveryMs = 1_000;
const batchSize = 500;
const genesis = '0'.repeat(64);

/** One line of the audit: who did what to what, with which result. */
export type AuditEntry = {
  actorId: string | null;
  actorName: string | null;
  action: string;
  target?: string | null;
  targetId?: string | null;
  result: 'done' | 'refused';
  details?: Record<string, unknown>;
};

/** Append-only tables: the migrate step takes the rights to change or delete their rows from the service. */
export const auditTables = ['audit_lines', 'audit_chain'];

/** Runs in the first migration of a service with an audit. It must never change: later migrations build on it. */
export async function createAudit(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table audit_lines (
      id uuid primary key,
      at timestamptz(3) not null default now(),
      actor_id uuid,
      actor_name text,
      address text,
      request_id text,
      action text not null,
      target text,
      target_id text,
      result text not null check (result in ('done', 'refused')),
      details text not null
    )`);
  await runner.query('create index audit_lines_at on audit_lines (at)');
  // Lines that are not chained yet.
  await runner.query('create table audit_pending (line_id uuid primary key, n bigint generated always as identity)');
  await runner.query(
    'create table audit_chain (seq bigint primary key, line_id uuid not null unique, hash text not null)',
  );
}

/** Writes a line in the transaction of its change; the chain follows within seconds. */
export const writeAudit = (manager: EntityManager, entry: AuditEntry): Promise<void> => writeAudits(manager, [entry]);

/** Writes all lines in one statement, in their order. */
export async function writeAudits(manager: EntityManager, entries: readonly AuditEntry[]): Promise<void> {
  const { address = null, requestId = null, user } = currentContext() ?? {};
  const byToken = user?.token !== undefined && { token: { id: user.sid, name: user.token } };
  const lines = entries.map(({ actorId, actorName, action, target, targetId, result, details = {} }) => ({
    id: uuid(),
    actor_id: actorId,
    actor_name: actorName,
    action,
    target,
    target_id: targetId,
    result,
    details: JSON.stringify({ ...details, ...byToken }),
  }));
  await manager.query(
    `with told as (
       select * from jsonb_to_recordset($1::jsonb) as l(id uuid, actor_id uuid, actor_name text, action text, target text,
         target_id text, result text, details text)
     ), line as (
       insert into audit_lines (id, actor_id, actor_name, address, request_id, action, target, target_id, result, details)
       select id, actor_id, actor_name, $2, $3, action, target, target_id, result, details from told returning id
     ) insert into audit_pending (line_id) select id from line order by id`,
    [JSON.stringify(lines), address, requestId],
  );
}

/** PostgreSQL formats the hashed text, so that no driver’s date format can change a hash. */
const lineText = `jsonb_build_array(l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), l.actor_id,
  l.actor_name, l.address, l.request_id, l.action, l.target, l.target_id, l.result, l.details)::text`;

type Line = { id: string; text: string };

const link = (previous: string, text: string) => createHash('sha256').update(`${previous}\n${text}`).digest('hex');

/** Numbers and hashes committed lines, one replica at a time. The hash of each line covers the line before it. */
export class AuditChainer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;

  constructor(database: DataSource, log: Log) {
    this.task = new RepeatingTask(log, 'the audit could not be chained', () => chainPending(database));
  }

  onApplicationBootstrap(): void {
    this.task.start(chainEveryMs);
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.drain();
  }
}

/** A failed pass is repeated a second later, and verification reports the lines that are not chained yet. */
async function chainPending(database: DataSource): Promise<void> {
  await database.transaction(async (manager) => {
    const [lock]: { is_mine: boolean }[] = await manager.query(
      "select pg_try_advisory_xact_lock(hashtext(current_schema() || '.audit')) as is_mine",
    );
    if (!lock?.is_mine) return;
    const lines: Line[] = await manager.query(
      `select l.id, ${lineText} as text from audit_pending p join audit_lines l on l.id = p.line_id order by p.n limit $1`,
      [batchSize],
    );
    if (lines.length === 0) return;
    const [last]: { seq: string; hash: string }[] = await manager.query(
      'select seq, hash from audit_chain order by seq desc limit 1',
    );
    let hash = last?.hash ?? genesis;
    const first = Number(last?.seq ?? 0) + 1;
    const links = lines.map(({ id, text }, at) => ({ seq: first + at, line_id: id, hash: (hash = link(hash, text)) }));
    await manager.query(
      'insert into audit_chain select * from jsonb_to_recordset($1::jsonb) as l(seq bigint, line_id uuid, hash text)',
      [JSON.stringify(links)],
    );
    await manager.query('delete from audit_pending where line_id = any($1::uuid[])', [lines.map(({ id }) => id)]);
  });
}

/** An inconsistency of the audit, and its place. */
export type AuditFault = {
  /**
   * `changed`: the text is not the hashed one. `removed`: the link exists, but not its line. `cut`: the links before
   * this one are missing. `outside`: a line is neither chained nor pending. `lost`: a pending line is missing.
   */
  kind: 'changed' | 'removed' | 'cut' | 'outside' | 'lost';
  lineId: string;
  /** Number in the chain; null when the line is not chained. */
  seq: number | null;
};

type AuditReport = {
  chained: number;
  pending: number;
  /** Hash of the last line. A copy kept elsewhere proves later that nothing before it was changed. */
  head: string;
  faults: AuditFault[];
};

type Query = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

/**
 * Verifies the whole chain of the connection’s schema. Needs a repeatable-read transaction: lines that are chained
 * between two queries would look like faults.
 */
export async function verifyAudit(query: Query): Promise<AuditReport> {
  const chain = await walkChain(query);
  const unlinkedLines = await query<{ kind: 'outside' | 'lost'; lineId: string }>(
    `select 'outside' as kind, l.id as "lineId" from audit_lines l
     where not exists (select from audit_chain c where c.line_id = l.id)
       and not exists (select from audit_pending p where p.line_id = l.id)
     union all
     select 'lost', p.line_id from audit_pending p where not exists (select from audit_lines l where l.id = p.line_id)`,
  );
  const [counted] = await query<{ pending: number }>('select count(*)::int as pending from audit_pending');
  const faults = [...chain.faults, ...unlinkedLines.map((line) => ({ ...line, seq: null }))];
  return { ...chain, pending: counted?.pending ?? 0, faults };
}

type Link = { seq: string; line_id: string; hash: string; text: string | null };

async function walkChain(query: Query): Promise<Omit<AuditReport, 'pending'>> {
  const faults: AuditFault[] = [];
  let [head, chained, at] = [genesis, 0, 0];
  for (;;) {
    const links = await query<Link>(
      `select c.seq, c.line_id, c.hash, case when l.id is null then null else ${lineText} end as text
       from audit_chain c left join audit_lines l on l.id = c.line_id where c.seq > $1 order by c.seq limit $2`,
      [at, batchSize],
    );
    for (const { seq, line_id: lineId, hash, text } of links) {
      const isNext = Number(seq) === at + 1;
      at = Number(seq);
      if (!isNext) faults.push({ kind: 'cut', lineId, seq: at });
      if (text === null) faults.push({ kind: 'removed', lineId, seq: at });
      // After a cut the previous hash is unknown.
      else if (isNext && link(head, text) !== hash) faults.push({ kind: 'changed', lineId, seq: at });
      head = hash;
    }
    chained += links.length;
    if (links.length < batchSize) return { chained, head, faults };
  }
}
