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
import { driftOf, zoneKeyOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import { fromUuid } from '../providers/ids';
import type { ProviderRecord } from '../providers/provider';
import { type ZoneContext, ZoneAccess } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { unknownRecord } from './conflicts';
import { planChanges } from './plan';
import { RecordLists } from './record-lists';
import { toRecord } from './record-view';
import { selectRecords } from './select-records';
import { SubdomainTargets } from './subdomain-targets';
import { singleOutcome, ZoneChanges } from './zone-changes';

@Controller()
export class RecordsController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly recordLists: RecordLists,
    private readonly states: ZoneStates,
    private readonly targets: SubdomainTargets,
  ) {}

  @Handles(listDnsRecords)
  async list(input: Input<typeof listDnsRecords>): Promise<Output<typeof listDnsRecords>> {
    const context = await this.access.find(input.zone_id);
    const { records, readAt } = await this.recordLists.read(context, input);
    const { name } = context.zone;
    const selected = selectRecords(records, input, name);
    const { offset, limit = selected.length } = input;
    return {
      records: selected.slice(offset, offset + limit).map((record) => toRecord(record, name)),
      total: selected.length,
      read_at: readAt.toISOString(),
      version: zoneVersion(records),
      drift: await driftOf(this.database.manager, zoneKeyOf(context)),
    };
  }

  @Handles(readDnsRecord)
  async read({ zone_id: zoneId, record_id: id }: Input<typeof readDnsRecord>) {
    const context = await this.access.find(zoneId);
    const record = find(await this.states.readRecords(context), id);
    return { record: toRecord(record, context.zone.name) };
  }

  @Handles(createDnsRecord)
  async create({ zone_id: zoneId, ...record }: Input<typeof createDnsRecord>) {
    return this.createOnce(createDnsRecord, zoneId, { request: record, makeRecord: async () => record });
  }

  @Handles(createSubdomain)
  async createSubdomain({ zone_id: zoneId, subdomain, type, content, ...rest }: Input<typeof createSubdomain>) {
    // The server’s address may differ on a repetition, so the idempotency key covers the request instead.
    const request = { subdomain, type, content, ...rest };
    return this.createOnce(createSubdomain, zoneId, {
      request,
      makeRecord: async (context) => {
        const target = content ?? (await this.targets.find(context, type));
        return { type, name: subdomain, content: target, ...rest };
      },
    });
  }

  @Handles(editDnsRecord)
  async edit({ zone_id: zoneId, record_id: id, expected, ...record }: Input<typeof editDnsRecord>) {
    const created = await this.changeOne(zoneId, { action: 'edit', record_id: id, record, expected });
    if (!created) throw unknownRecord();
    return { record: created };
  }

  @Handles(deleteDnsRecord)
  async delete({ zone_id: zoneId, record_id: id, expected }: Input<typeof deleteDnsRecord>) {
    await this.changeOne(zoneId, { action: 'delete', record_id: id, expected });
    return {};
  }

  private async changeOne(zoneId: string, change: Exclude<DnsChange, { action: 'create' }>) {
    const context = await this.access.find(zoneId);
    const { name } = context.zone;
    const applied = await this.changes.apply(context, {
      reason: 'write',
      plan: (records) => {
        if (change.expected === undefined) find(records, change.record_id);
        return planChanges(records, name, [change]);
      },
    });
    const { record } = singleOutcome(applied);
    return record && toRecord(record, name);
  }

  private async createOnce(
    contract: typeof createDnsRecord | typeof createSubdomain,
    zoneId: string,
    { request, makeRecord: recordIn }: { request: object; makeRecord: (context: ZoneContext) => Promise<RecordForm> },
  ): Promise<Output<typeof createDnsRecord>> {
    const context = await this.access.find(zoneId);
    const { name } = context.zone;
    const input = { zoneId, ...request };
    let existing: ProviderRecord | undefined;
    const applied = await this.changes.apply(context, {
      reason: 'write',
      claim: this.idempotencyKeys.claimOf(contract, input),
      plan: async (records) => {
        const created = await this.idempotencyKeys.find(this.database.manager, contract, input);
        if (created !== undefined) existing = find(records, fromUuid(created));
        if (existing) return [];
        return planChanges(records, name, [{ action: 'create', record: await recordIn(context) }]);
      },
    });
    const created = existing ?? singleOutcome(applied).record;
    if (!created) throw unknownRecord();
    return { record: toRecord(created, name) };
  }
}

function find(records: readonly ProviderRecord[], id: string): ProviderRecord {
  const record = records.find((each) => each.id === id);
  if (!record) throw unknownRecord();
  return record;
}
