import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { DnsSnapshot } from '../history/snapshot.entity';
import { zoneKeyOf, recordsOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import type { ProviderRecord } from '../providers/provider';
import type { ZoneContext } from '../zones/zone-access';
import { zoneVersion } from './canonical';

const freshMs = 60_000;
/** Readers may continue in this many recent versions of a list. */
const maxVersions = 5;

type ListedRecords = { records: ProviderRecord[]; readAt: Date };
type PageRequest = { offset: number; version?: string | undefined };

/** Reads the records of a paginated list: later pages come from the first page’s version, or the last minute’s. */
@Injectable()
export class RecordLists {
  constructor(
    private readonly database: DataSource,
    private readonly states: ZoneStates,
  ) {}

  async read(context: ZoneContext, { offset, version }: PageRequest): Promise<ListedRecords> {
    const stored = offset > 0 ? await this.findStored(context, version) : undefined;
    if (stored) return stored;
    const read = { records: await this.states.readRecords(context), readAt: new Date() };
    if (version !== undefined && version !== zoneVersion(read.records)) throw changedMeanwhile();
    return read;
  }

  private async findStored(context: ZoneContext, version: string | undefined): Promise<ListedRecords | undefined> {
    const { manager } = this.database;
    const key = zoneKeyOf(context);
    const { readAt: zoneReadAt } = context.zone;
    const isFresh = zoneReadAt !== null && Date.now() - zoneReadAt.getTime() < freshMs;
    const snapshots = await manager.find(DnsSnapshot, { where: key, order: { id: 'desc' }, take: maxVersions });
    const [latest] = snapshots;
    const snapshot = version === undefined ? isFresh && latest : snapshots.find((each) => each.version === version);
    if (!snapshot) return undefined;
    // Only the latest snapshot was confirmed by the last read.
    const readAt = (snapshot === latest ? zoneReadAt : null) ?? snapshot.at;
    return { records: await recordsOf(manager, snapshot.id), readAt };
  }
}

const changedMeanwhile = () =>
  new AppError('conflict', {
    message: 'Cette zone a changé pendant qu’elle était lue. Relisez-la depuis le début.',
    code: 'zone_changed',
  });
