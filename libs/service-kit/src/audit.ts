import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentContext } from './context';

const chainEveryMs = 1_000;
const batchSize = 500;
const genesis = '0'.repeat(64);

/** Who did what to what, and what came of it. */
export type AuditEntry = {
  actorId: string | null;
  actorName: string | null;
  action: string;
  /** What it was done to, as a person would name it. */
  target?: string | null;
  targetId?: string | null;
  result: 'done' | 'refused';
  details?: Record<string, unknown>;
};

/** These tables only grow: the migrate step takes the right to change or remove their rows from the service. */
export const auditTables = ['audit_lines', 'audit_chain'];

/** Part of a service's first migration with an audit; never changed, later migrations follow it. */
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
  // What is written and not yet in the chain.
  await runner.query('create table audit_pending (line_id uuid primary key, n bigint generated always as identity)');
  await runner.query(
    'create table audit_chain (seq bigint primary key, line_id uuid not null unique, hash text not null)',
  );
}

/** Written plain in the transaction of what it tells; the chain follows within seconds. */
export async function writeAudit(manager: EntityManager, entry: AuditEntry): Promise<void> {
  const { actorId, actorName, action, target = null, targetId = null, result, details = {} } = entry;
  const { address = null, requestId = null } = currentContext() ?? {};
  await manager.query(
    `with line as (
       insert into audit_lines (id, actor_id, actor_name, address, request_id, action, target, target_id, result, details)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id
     ) insert into audit_pending (line_id) select id from line`,
    [uuid(), actorId, actorName, address, requestId, action, target, targetId, result, JSON.stringify(details)],
  );
}

/** As PostgreSQL writes it, so that no driver's idea of a date can change a hash. */
const lineText = `jsonb_build_array(l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), l.actor_id,
  l.actor_name, l.address, l.request_id, l.action, l.target, l.target_id, l.result, l.details)::text`;

type Line = { id: string; text: string };

const link = (previous: string, text: string) => createHash('sha256').update(`${previous}\n${text}`).digest('hex');

/** Numbers and hashes what was committed, one replica at a time: each line's hash covers the line before it. */
@Injectable()
export class AuditChainer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void chainPending(this.database).catch(() => undefined), chainEveryMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}

/** Whoever fails here is asked again a second later, and verification tells how long the unchained tail is. */
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

type AuditReport = {
  /** Lines in the chain. */
  chained: number;
  /** Lines that are written and not yet chained. */
  pending: number;
  /** Of the last line: noted elsewhere, it proves later that nothing before it was changed. */
  head: string;
  /** What does not fit; empty when the chain is whole. */
  faults: string[];
};

/** Walks the whole chain of the connection's schema. */
export async function verifyAudit(query: <T>(sql: string, values?: unknown[]) => Promise<T[]>): Promise<AuditReport> {
  const faults: string[] = [];
  let head = genesis;
  let chained = 0;
  for (;;) {
    const links = await query<{ seq: string; hash: string; text: string | null }>(
      `select c.seq, c.hash, case when l.id is null then null else ${lineText} end as text
       from audit_chain c left join audit_lines l on l.id = c.line_id where c.seq > $1 order by c.seq limit $2`,
      [chained, batchSize],
    );
    for (const { seq, hash, text } of links) {
      chained += 1;
      if (Number(seq) !== chained) return { chained, pending: 0, head, faults: [`line ${chained} is missing`] };
      if (text === null) faults.push(`line ${seq} was removed`);
      else if (link(head, text) !== hash) faults.push(`line ${seq} was changed`);
      head = hash;
    }
    if (links.length < batchSize) break;
  }
  const [rest] = await query<{ lines: string; pending: string }>(
    'select (select count(*) from audit_lines) as lines, (select count(*) from audit_pending) as pending',
  );
  const pending = Number(rest?.pending ?? 0);
  const stray = Number(rest?.lines ?? 0) - chained - pending;
  if (stray !== 0 && faults.length === 0) faults.push(`${stray} lines are outside of the chain`);
  return { chained, pending, head, faults };
}
