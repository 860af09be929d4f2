import { Injectable } from '@nestjs/common';
import type { BulkResult, ChangeResult } from '@vigie/contracts/dns-changes';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { type Chapter, History } from '@vigie/service-kit/history';
import { DataSource } from 'typeorm';
import type { HeldRecord } from '../providers/provider';
import { Providers } from '../providers/providers';
import type { Reached } from '../zones/zone-access';
import { ZoneTurns } from '../zones/zone-turns';
import { zoneVersion } from './canonical';
import { refuseConflicts } from './conflicts';
import type { Planned } from './plan';
import { toRecord } from './record-view';
import { recordChanges } from './record-doings';
import type { SnapshotReason } from './snapshot.entity';
import { holdHistory, keepSnapshot } from './snapshots';
import { type Outcome, type Outcomes, WriteAll } from './write-all';
import { placeOf, ZoneStates } from './zone-states';

type Order = {
  reason: SnapshotReason;
  /** The version of the whole zone that whoever asks has seen. */
  expectedZone?: string | undefined;
  /** By what is there when nobody else may write any more. */
  plan: (records: readonly HeldRecord[]) => Planned[] | Promise<Planned[]>;
  /** Kept in the transaction that tells of it. */
  also?: (chapter: Chapter, outcomes: readonly Outcome[]) => Promise<void>;
};

export type Applied = Outcomes & { after: HeldRecord[] };

/** Changes zones: one at a time, by what is there, with its history. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly database: DataSource,
    private readonly history: History,
    private readonly providers: Providers,
    private readonly states: ZoneStates,
    private readonly turns: ZoneTurns,
  ) {}

  apply(reached: Reached, order: Order): Promise<Applied> {
    return this.turns.during(reached.zone.id, async () => {
      const before = await this.states.lookBefore(reached);
      if (order.expectedZone !== undefined && order.expectedZone !== zoneVersion(before)) throw zoneChanged();
      const planned = await order.plan(before);
      await refuseConflicts(this.database.manager, reached, planned);
      const { config, zone } = reached;
      const written = await this.providers.use(config, { fallback: 'Failed to save record' }, (provider) =>
        new WriteAll(provider, zone.id, before).run(planned),
      );
      if (written.failure) await this.providers.hear(config, written.failure);
      const after = stateAfter(before, written.outcomes);
      await this.keep(reached, order, written.outcomes, after).catch((cause: unknown) => {
        throw cause instanceof AppError || !hasEffect(written) ? cause : unnoted(cause);
      });
      return { ...written, after };
    });
  }

  private async keep(reached: Reached, order: Order, outcomes: readonly Outcome[], after: HeldRecord[]): Promise<void> {
    const place = placeOf(reached);
    const { sub, name = null } = currentUser();
    await this.history.write(async (chapter) => {
      await holdHistory(chapter.manager, place);
      const state = { reason: order.reason, records: after, actor: { id: sub, name } };
      await keepSnapshot(chapter.manager, place, state);
      await recordChanges(chapter, reached, order.reason, outcomes);
      await order.also?.(chapter, outcomes);
    });
  }
}

const zoneChanged = () =>
  new AppError('conflict', {
    message: 'Cette zone a changé depuis que vous l’avez vue. Relisez ce qui serait fait, puis recommencez.',
    code: 'zone_changed',
  });

const hasEffect = ({ outcomes }: Outcomes) => outcomes.some(({ state, planned }) => state === 'done' && planned.write);

/** Nobody may take it for something that was not done. */
const unnoted = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Cloudflare a fait ces changements, mais Vigie n’a pas pu les noter. Relisez la zone avant de recommencer.',
    { cause },
  );

function stateAfter(before: readonly HeldRecord[], outcomes: readonly Outcome[]): HeldRecord[] {
  const records = new Map(before.map((record) => [record.id, record]));
  for (const { state, planned, record } of outcomes) {
    if (state !== 'done' || !planned.write) continue;
    if (planned.write.action === 'delete') records.delete(planned.write.id);
    else if (record) records.set(record.id, record);
  }
  return [...records.values()];
}

/** Of a megabyte, with room for what is around them. */
const mostBytes = 600_000;

/** What came of many, for whoever asked. */
export function toBulkResult({ outcomes, stopped, after }: Applied, zoneName: string): BulkResult {
  let bytes = 0;
  const results = outcomes.map(({ planned, state, record, error }): ChangeResult => {
    const view = record && toRecord(record, zoneName);
    bytes += Buffer.byteLength(JSON.stringify(view));
    // What does not fit into one message is read with the list.
    const shown = bytes > mostBytes ? null : view;
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
