import type { Client } from 'pg';
import { audit, type Finding, type ReportedJob } from '../chaos/audit';
import type { LoadResult } from './load-judge';
import type { LoadStage } from './load-stage';
import { quantile } from './statistics';

/** Compares the accepted jobs with the ledger, and the ledger with the effects on the hosts. */
export async function auditJobs(
  { client, hosts }: Pick<LoadStage, 'client' | 'hosts'>,
  { accepted, unansweredCount }: { accepted: readonly string[]; unansweredCount: number },
): Promise<Finding[]> {
  // The failed jobs were prepared by the bench and then retried. Only the retries count.
  const { rows } = await client.query<ReportedJob>(
    `select id, kind, state, cancel_asked_at is not null as "isCancelAsked", result->>'said' as output
     from sites.jobs where retry_of is not null or kind not like 'trial.%'`,
  );
  const findings = audit({
    accepted,
    ledger: rows,
    effects: hosts.map((host) => host.effects()),
    disks: hosts.map((host) => host.disk()),
    wronglyAccepted: [],
    leftovers: [],
  });
  const acceptedIds = new Set(accepted);
  const unrequested = rows.filter(({ id }) => !acceptedIds.has(id));
  // Requests without an answer may have created jobs.
  return [...findings, ...unrequested.slice(unansweredCount).map(({ id }) => ({ kind: 'sans demande', id }))];
}

/** Measures the p99 from the planned order to its end on the host, for one step. */
export async function completionP99(client: Client, result: LoadResult | undefined): Promise<number> {
  const dueTimes = new Map(
    (result?.answers ?? []).flatMap(({ kind, id, due }) =>
      kind === 'opérations' && id !== undefined ? [[id, (result?.startedAt ?? 0) + due] as const] : [],
    ),
  );
  const { rows } = await client.query<{ id: string; at: number }>(
    'select id, extract(epoch from finished_at)::float8 * 1000 as at from sites.jobs where id = any($1::uuid[])',
    [[...dueTimes.keys()]],
  );
  return quantile(
    rows.map(({ id, at }) => at - (dueTimes.get(id) ?? at)),
    0.99,
  );
}
