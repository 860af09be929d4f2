import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import type { HeldRecord } from '../providers/provider';
import type { Reached } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { DnsSnapshot } from './snapshot.entity';
import { latestSnapshot, placeOf, recordsOf } from './snapshots';
import { ZoneStates } from './zone-states';

const freshMs = 60_000;

type Reading = { records: HeldRecord[]; readAt: Date };
type Asked = { offset: number; version?: string | undefined };

/** The records of which a list shows a part: those of its first part, or of the last minute. */
@Injectable()
export class Readings {
  constructor(
    private readonly database: DataSource,
    private readonly states: ZoneStates,
  ) {}

  async of(reached: Reached, { offset, version }: Asked): Promise<Reading> {
    const kept = offset > 0 ? await this.kept(reached, version) : undefined;
    if (kept) return kept;
    const read = { records: await this.states.look(reached), readAt: new Date() };
    if (version !== undefined && version !== zoneVersion(read.records)) throw changedMeanwhile();
    return read;
  }

  private async kept(reached: Reached, version: string | undefined): Promise<Reading | undefined> {
    const { manager } = this.database;
    const place = placeOf(reached);
    const { lookedAt } = reached.zone;
    const isFresh = lookedAt !== null && Date.now() - lookedAt.getTime() < freshMs;
    const snapshot =
      version === undefined
        ? isFresh && (await latestSnapshot(manager, place))
        : await manager.findOne(DnsSnapshot, { where: { ...place, version }, order: { id: 'desc' } });
    if (!snapshot) return undefined;
    return { records: await recordsOf(manager, snapshot.id), readAt: lookedAt ?? snapshot.at };
  }
}

const changedMeanwhile = () =>
  new AppError('unavailable', 'Cette zone a changé pendant qu’elle était lue. Réessayez dans un instant.', {
    retryAfter: 1,
  });
