import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { DnsSnapshot } from '../history/snapshot.entity';
import { placeOf, recordsOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import type { HeldRecord } from '../providers/provider';
import type { Reached } from '../zones/zone-access';
import { zoneVersion } from './canonical';

const freshMs = 60_000;
/** Readers may continue in this many recent versions of a list. */
const newestStates = 5;

type Reading = { records: HeldRecord[]; readAt: Date };
type Asked = { offset: number; version?: string | undefined };

/**
 * Reads the records of a paginated list: pages after the first come from the version of the first page, or of the last
 * minute.
 */
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
    const newest = await manager.find(DnsSnapshot, { where: place, order: { id: 'desc' }, take: newestStates });
    const [latest] = newest;
    const snapshot = version === undefined ? isFresh && latest : newest.find((each) => each.version === version);
    if (!snapshot) return undefined;
    // Only the latest snapshot was confirmed by the last read.
    const readAt = (snapshot === latest ? lookedAt : null) ?? snapshot.at;
    return { records: await recordsOf(manager, snapshot.id), readAt };
  }
}

const changedMeanwhile = () =>
  new AppError('conflict', {
    message: 'Cette zone a changé pendant qu’elle était lue. Relisez-la depuis le début.',
    code: 'zone_changed',
  });
