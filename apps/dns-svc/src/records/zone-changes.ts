import { Injectable } from '@nestjs/common';
import type { BulkResult, ChangeResult } from '@vigie/contracts/dns-changes';
import { AppError } from '@vigie/contracts/errors';
import type { Claim } from '@vigie/service-kit/idempotency-keys';
import { DataSource } from 'typeorm';
import { currentActor } from '../audit-events';
import type { SnapshotReason } from '../history/snapshot.entity';
import { ZoneStates } from '../history/zone-states';
import { PendingWrites } from '../pending-writes/pending-writes';
import type { ProviderRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import type { ZoneContext } from '../zones/zone-access';
import { ZoneLock } from '../zones/zone-lock';
import { zoneVersion } from './canonical';
import { refuseConflicts } from './conflicts';
import { OutcomeRecorder } from './outcome-recorder';
import type { PlannedChange } from './plan';
import { toRecord } from './record-view';
import { hasEffect, hasWrite, type Outcome, type Outcomes, stateAfter, ChangeWriter } from './change-writer';

type ChangeRequest = {
  reason: SnapshotReason;
  expectedZone?: string | undefined;
  /** Computes the changes from the current records, under the zone’s lock. */
  plan: (records: readonly ProviderRecord[]) => PlannedChange[] | Promise<PlannedChange[]>;
  claim?: Claim | undefined;
};

export type Applied = Outcomes & { after: ProviderRecord[] };

/** Changes zones, one writer at a time, and records their history. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly database: DataSource,
    private readonly pendingWrites: PendingWrites,
    private readonly recorder: OutcomeRecorder,
    private readonly providers: Providers,
    private readonly states: ZoneStates,
    private readonly zoneLock: ZoneLock,
  ) {}

  apply(context: ZoneContext, request: ChangeRequest): Promise<Applied> {
    return this.zoneLock.run(context.zone.id, async () => {
      const { id: beforeId, records: before } = await this.states.readBeforeWrite(context);
      requireZone(before, request.expectedZone);
      const planned = await request.plan(before);
      await refuseConflicts(this.database.manager, context, planned);
      const started = { at: new Date(), pendingId: await this.addPendingWrite(context, request, planned, beforeId) };
      const { config, zone } = context;
      const written = await this.providers.use(config, { fallback: 'Failed to save record' }, (provider) =>
        new ChangeWriter(provider, zone.id, before).run(planned),
      );
      if (written.failure) await this.providers.recordFailure(config, written.failure);
      const { outcomes } = written;
      const after = stateAfter(before, outcomes);
      const { reason, claim = null } = request;
      const applied = { ...started, reason, claim, outcomes, after, actor: currentActor() };
      await this.recorder.record(context, applied).catch((cause: unknown) => {
        throw cause instanceof AppError || !written.outcomes.some(hasEffect) ? cause : unrecorded(cause);
      });
      return { ...written, after };
    });
  }

  private async addPendingWrite(
    { config, zone }: ZoneContext,
    request: ChangeRequest,
    planned: readonly PlannedChange[],
    beforeId: string,
  ) {
    const sent = planned.filter(hasWrite);
    if (sent.length === 0) return null;
    const { reason, claim = null } = request;
    const target = { configId: config.id, zoneId: zone.id, zoneName: zone.name };
    return this.pendingWrites.add({ ...target, reason, beforeId, claim, planned: sent });
  }
}

/** Refuses changes that were decided on another version of the zone. */
export function requireZone(records: readonly ProviderRecord[], expectedZone: string | undefined): void {
  if (expectedZone === undefined || expectedZone === zoneVersion(records)) return;
  throw new AppError('conflict', {
    message: 'Cette zone a changé depuis que vous l’avez vue. Relisez ce qui serait fait, puis recommencez.',
    code: 'zone_changed',
  });
}

/** The changes were applied, so the answer must not sound like a failure of theirs. */
const unrecorded = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Cloudflare a fait ces changements, mais Vigie n’a pas encore pu les enregistrer. Relisez la zone avant de recommencer.',
    { cause },
  );

/** A message holds a megabyte; the rest is room for the other fields. */
const maxBytes = 600_000;

export function toBulkResult({ outcomes, stopped, after }: Applied, zoneName: string): BulkResult {
  let bytes = 0;
  const results = outcomes.map(({ planned, state, record, error }): ChangeResult => {
    const view = record && toRecord(record, zoneName);
    bytes += Buffer.byteLength(JSON.stringify(view));
    // Records that do not fit in one message are read with the list.
    const fittingView = bytes > maxBytes ? null : view;
    return { index: planned.index, state, record: fittingView, message: error?.message ?? null };
  });
  return {
    results,
    done: results.filter(({ state }) => state === 'done').length,
    stopped: stopped?.message ?? null,
    retry_after: stopped?.retryAfter ?? null,
    version: zoneVersion(after),
  };
}

export function singleOutcome({ outcomes }: Applied): Outcome {
  const [outcome] = outcomes;
  if (!outcome) throw new Error('one change has one outcome');
  if (outcome.error) throw outcome.error;
  return outcome;
}
