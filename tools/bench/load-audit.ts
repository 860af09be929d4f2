import type { Client } from 'pg';
import { audit, type Finding, type ReportedJob } from '../chaos/audit';
import type { Fired } from './load-judge';
import type { LoadStage } from './load-stage';
import { quantile } from './statistics';

/** Compares what was accepted with the ledger, and that with what was done on the hosts. Empty when all of it is true. */
export async function auditJobs(
  { client, hosts }: Pick<LoadStage, 'client' | 'hosts'>,
  accepted: readonly string[],
  unsure: number,
): Promise<Finding[]> {
  // Those that were there to be tried again are nobody's order.
  const { rows } = await client.query<ReportedJob>(
    `select id, kind, state, cancel_asked_at is not null as "isCancelAsked", result->>'said' as said
     from sites.jobs where retry_of is not null or kind not like 'trial.%'`,
  );
  const found = audit({
    accepted,
    ledger: rows,
    effects: hosts.map((host) => host.effects()),
    disks: hosts.map((host) => host.disk()),
    wronglyAccepted: [],
    leftovers: [],
  });
  const known = new Set(accepted);
  const strays = rows.filter(({ id }) => !known.has(id));
  // Of what was asked for and not answered with its id anything may have come.
  return [...found, ...strays.slice(unsure).map(({ id }) => ({ kind: 'sans demande', id }))];
}

/** From the moment when work was due to be ordered to its end on the host, p99, of one step. */
export async function endsOf(client: Client, fired: Fired | undefined): Promise<number> {
  const ordered = new Map(
    (fired?.answers ?? []).flatMap(({ kind, id, due }) =>
      kind === 'opérations' && id !== undefined ? [[id, (fired?.startedAt ?? 0) + due] as const] : [],
    ),
  );
  const { rows } = await client.query<{ id: string; at: number }>(
    'select id, extract(epoch from finished_at)::float8 * 1000 as at from sites.jobs where id = any($1::uuid[])',
    [[...ordered.keys()]],
  );
  return quantile(
    rows.map(({ id, at }) => at - (ordered.get(id) ?? at)),
    0.99,
  );
}
