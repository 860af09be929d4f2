import { Injectable } from '@nestjs/common';
import type { BulkResult, ChangeResult } from '@vigie/contracts/dns-changes';
import { AppError } from '@vigie/contracts/errors';
import type { Claim } from '@vigie/service-kit/idempotency-keys';
import { DataSource } from 'typeorm';
import { currentActor } from '../doings';
import type { SnapshotReason } from '../history/snapshot.entity';
import { ZoneStates } from '../history/zone-states';
import { Intents } from '../intents/intents';
import type { HeldRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import type { Reached } from '../zones/zone-access';
import { ZoneTurns } from '../zones/zone-turns';
import { zoneVersion } from './canonical';
import { refuseConflicts } from './conflicts';
import { Notes } from './notes';
import type { Planned } from './plan';
import { toRecord } from './record-view';
import { hasEffect, isSent, type Outcome, type Outcomes, stateAfter, WriteAll } from './write-all';

type Order = {
  reason: SnapshotReason;
  /** The version of the whole zone that the person saw. */
  expectedZone?: string | undefined;
  /** Computes the changes from the current records, under the zone’s lock. */
  plan: (records: readonly HeldRecord[]) => Planned[] | Promise<Planned[]>;
  /** The request’s idempotency key. */
  claim?: Claim | undefined;
};

export type Applied = Outcomes & { after: HeldRecord[] };

/** Changes zones, one writer at a time, and records their history. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly database: DataSource,
    private readonly intents: Intents,
    private readonly notes: Notes,
    private readonly providers: Providers,
    private readonly states: ZoneStates,
    private readonly turns: ZoneTurns,
  ) {}

  apply(reached: Reached, order: Order): Promise<Applied> {
    return this.turns.during(reached.zone.id, async () => {
      const { id: beforeId, records: before } = await this.states.lookBefore(reached);
      requireZone(before, order.expectedZone);
      const planned = await order.plan(before);
      await refuseConflicts(this.database.manager, reached, planned);
      const begun = { at: new Date(), intent: await this.open(reached, order, planned, beforeId) };
      const { config, zone } = reached;
      const written = await this.providers.use(config, { fallback: 'Failed to save record' }, (provider) =>
        new WriteAll(provider, zone.id, before).run(planned),
      );
      if (written.failure) await this.providers.hear(config, written.failure);
      const { outcomes } = written;
      const after = stateAfter(before, outcomes);
      const { reason, claim = null } = order;
      const note = { ...begun, reason, claim, outcomes, after, actor: currentActor() };
      await this.notes.write(reached, note).catch((cause: unknown) => {
        throw cause instanceof AppError || !written.outcomes.some(hasEffect) ? cause : unnoted(cause);
      });
      return { ...written, after };
    });
  }

  /** Stores the changes as a pending write; null when nothing is sent. */
  private async open({ config, zone }: Reached, order: Order, planned: readonly Planned[], beforeId: string) {
    const sent = planned.filter(isSent);
    if (sent.length === 0) return null;
    const { reason, claim = null } = order;
    const place = { configId: config.id, zoneId: zone.id, zoneName: zone.name };
    return this.intents.open({ ...place, reason, beforeId, claim, planned: sent });
  }
}

/** Refuses changes that were decided on another version of the zone. */
export function requireZone(records: readonly HeldRecord[], expectedZone: string | undefined): void {
  if (expectedZone === undefined || expectedZone === zoneVersion(records)) return;
  throw new AppError('conflict', {
    message: 'Cette zone a changé depuis que vous l’avez vue. Relisez ce qui serait fait, puis recommencez.',
    code: 'zone_changed',
  });
}

/** The changes were applied, so the answer must not sound like a failure of theirs. */
const unnoted = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Cloudflare a fait ces changements, mais Vigie n’a pas encore pu les noter. Relisez la zone avant de recommencer.',
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
    const shown = bytes > maxBytes ? null : view;
    return { index: planned.index, state, record: shown, message: error?.message ?? null };
  });
  return {
    results,
    done: results.filter(({ state }) => state === 'done').length,
    stopped: stopped?.message ?? null,
    retry_after: stopped?.retryAfter ?? null,
    version: zoneVersion(after),
  };
}

export function onlyOutcome({ outcomes }: Applied): Outcome {
  const [outcome] = outcomes;
  if (!outcome) throw new Error('one change has one outcome');
  if (outcome.error) throw outcome.error;
  return outcome;
}
