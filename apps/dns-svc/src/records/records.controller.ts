import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import type { DnsChange } from '@vigie/contracts/dns-changes';
import {
  createDnsRecord,
  createSubdomain,
  deleteDnsRecord,
  editDnsRecord,
  listDnsRecords,
  readDnsRecord,
  type RecordForm,
} from '@vigie/contracts/dns-records';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { driftOf, placeOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import { fromUuid } from '../providers/ids';
import type { HeldRecord } from '../providers/provider';
import { type Reached, ZoneAccess } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { unknownRecord } from './conflicts';
import { planChanges } from './plan';
import { Readings } from './readings';
import { toRecord } from './record-view';
import { selectRecords } from './select-records';
import { SubdomainTargets } from './subdomain-targets';
import { onlyOutcome, ZoneChanges } from './zone-changes';

@Controller()
export class RecordsController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly creations: IdempotencyKeys,
    private readonly readings: Readings,
    private readonly states: ZoneStates,
    private readonly targets: SubdomainTargets,
  ) {}

  @Handles(listDnsRecords)
  async list(input: Input<typeof listDnsRecords>): Promise<Output<typeof listDnsRecords>> {
    const reached = await this.access.find(input.zone_id);
    const { records, readAt } = await this.readings.of(reached, input);
    const { name } = reached.zone;
    const found = selectRecords(records, input, name);
    const { offset, limit = found.length } = input;
    return {
      records: found.slice(offset, offset + limit).map((record) => toRecord(record, name)),
      total: found.length,
      read_at: readAt.toISOString(),
      version: zoneVersion(records),
      drift: await driftOf(this.database.manager, placeOf(reached)),
    };
  }

  @Handles(readDnsRecord)
  async read({ zone_id: zoneId, record_id: id }: Input<typeof readDnsRecord>) {
    const reached = await this.access.find(zoneId);
    const record = find(await this.states.look(reached), id);
    return { record: toRecord(record, reached.zone.name) };
  }

  @Handles(createDnsRecord)
  async create({ zone_id: zoneId, ...record }: Input<typeof createDnsRecord>) {
    return this.createOnce(createDnsRecord, zoneId, { asked: record, recordIn: async () => record });
  }

  @Handles(createSubdomain)
  async createSubdomain({ zone_id: zoneId, subdomain, type, content, ...rest }: Input<typeof createSubdomain>) {
    // The server’s address may differ on a repetition, so the idempotency key covers the request instead.
    const asked = { subdomain, type, content, ...rest };
    return this.createOnce(createSubdomain, zoneId, {
      asked,
      recordIn: async (reached) => {
        const target = content ?? (await this.targets.of(reached, type));
        return { type, name: subdomain, content: target, ...rest };
      },
    });
  }

  @Handles(editDnsRecord)
  async edit({ zone_id: zoneId, record_id: id, expected, ...record }: Input<typeof editDnsRecord>) {
    const made = await this.changeOne(zoneId, { action: 'edit', record_id: id, record, expected });
    if (!made) throw unknownRecord();
    return { record: made };
  }

  @Handles(deleteDnsRecord)
  async delete({ zone_id: zoneId, record_id: id, expected }: Input<typeof deleteDnsRecord>) {
    await this.changeOne(zoneId, { action: 'delete', record_id: id, expected });
    return {};
  }

  private async changeOne(zoneId: string, change: Exclude<DnsChange, { action: 'create' }>) {
    const reached = await this.access.find(zoneId);
    const { name } = reached.zone;
    const applied = await this.changes.apply(reached, {
      reason: 'write',
      plan: (records) => {
        if (change.expected === undefined) find(records, change.record_id);
        return planChanges(records, name, [change]);
      },
    });
    const { record } = onlyOutcome(applied);
    return record && toRecord(record, name);
  }

  /** A repeated request is answered with the created record. */
  private async createOnce(
    contract: typeof createDnsRecord | typeof createSubdomain,
    zoneId: string,
    { asked, recordIn }: { asked: object; recordIn: (reached: Reached) => Promise<RecordForm> },
  ): Promise<Output<typeof createDnsRecord>> {
    const reached = await this.access.find(zoneId);
    const { name } = reached.zone;
    const input = { zoneId, ...asked };
    let known: HeldRecord | undefined;
    const applied = await this.changes.apply(reached, {
      reason: 'write',
      claim: this.creations.claimOf(contract, input),
      plan: async (records) => {
        const made = await this.creations.find(this.database.manager, contract, input);
        if (made !== undefined) known = find(records, fromUuid(made));
        if (known) return [];
        return planChanges(records, name, [{ action: 'create', record: await recordIn(reached) }]);
      },
    });
    const made = known ?? onlyOutcome(applied).record;
    if (!made) throw unknownRecord();
    return { record: toRecord(made, name) };
  }
}

function find(records: readonly HeldRecord[], id: string): HeldRecord {
  const record = records.find((each) => each.id === id);
  if (!record) throw unknownRecord();
  return record;
}
