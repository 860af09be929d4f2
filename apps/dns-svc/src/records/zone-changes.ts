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
  /** The version of the whole zone that whoever asks has seen. */
  expectedZone?: string | undefined;
  /** By what is there when nobody else may write any more. */
  plan: (records: readonly HeldRecord[]) => Planned[] | Promise<Planned[]>;
  /** Of the key under which they are asked. */
  claim?: Claim | undefined;
};

export type Applied = Outcomes & { after: HeldRecord[] };

/** Changes zones: one at a time, by what is there, with its history. */
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

  /** Null where nothing is sent. */
  private async open({ config, zone }: Reached, order: Order, planned: readonly Planned[], beforeId: string) {
    const sent = planned.filter(isSent);
    if (sent.length === 0) return null;
    const { reason, claim = null } = order;
    const place = { configId: config.id, zoneId: zone.id, zoneName: zone.name };
    return this.intents.open({ ...place, reason, beforeId, claim, planned: sent });
  }
}

/** Refuses what was decided by another state of the zone. */
export function requireZone(records: readonly HeldRecord[], expectedZone: string | undefined): void {
  if (expectedZone === undefined || expectedZone === zoneVersion(records)) return;
  throw new AppError('conflict', {
    message: 'Cette zone a changé depuis que vous l’avez vue. Relisez ce qui serait fait, puis recommencez.',
    code: 'zone_changed',
  });
}

/** Nobody may take it for something that was not done. */
const unnoted = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Cloudflare a fait ces changements, mais Vigie n’a pas encore pu les noter. Relisez la zone avant de recommencer.',
    { cause },
  );

/** Of a megabyte, with room for what is around them. */
const maxBytes = 600_000;

/** What came of many, for whoever asked. */
export function toBulkResult({ outcomes, stopped, after }: Applied, zoneName: string): BulkResult {
  let bytes = 0;
  const results = outcomes.map(({ planned, state, record, error }): ChangeResult => {
    const view = record && toRecord(record, zoneName);
    bytes += Buffer.byteLength(JSON.stringify(view));
    // What does not fit into one message is read with the list.
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

/** What came of one: the record, or why not. */
export function onlyOutcome({ outcomes }: Applied): Outcome {
  const [outcome] = outcomes;
  if (!outcome) throw new Error('one change has one outcome');
  if (outcome.error) throw outcome.error;
  return outcome;
}
