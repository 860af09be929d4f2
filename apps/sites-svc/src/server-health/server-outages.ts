import type { Input } from '@vigie/contracts/contract';
import type { reportSweep } from '@vigie/contracts/server-health';
import type { DataSource } from 'typeorm';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import { isBlind } from '../incidents/network';
import { updateIncidents } from '../incidents/update-incidents';
import { checkSeconds } from '../sweeps/schedule';

type Probe = Input<typeof reportSweep>['items'][number];

const checks: Checks = { kind: 'outage', subjectKind: 'server', seconds: checkSeconds('server-health') };

/** Vigie's own rule refused the address: that says nothing about the server. */
const isForbidden = ({ failure }: Probe) => failure?.code === 'forbidden';

/** A server is down when not even its port answers; a refused login is no outage. */
export async function countServerOutages(database: DataSource, probes: readonly Probe[]): Promise<void> {
  const { manager } = database;
  const down = probes.filter((probe) => !probe.online && !isForbidden(probe));
  const failures = down.map(({ id, failure }) => ({
    id,
    evidence: { code: null, reason: failure?.message ?? null, ends_at: null },
  }));
  const cannotSee = down.length > 0 && (await isBlind(manager));
  const mustOpen = await countFailures(manager, checks, failures, { isBlind: cannotSee });
  const up = probes.filter(({ online }) => online).map(({ id }) => id);
  const mayEnd = await countSuccesses(manager, checks, up);
  if (mustOpen || mayEnd) await updateIncidents(database);
}
