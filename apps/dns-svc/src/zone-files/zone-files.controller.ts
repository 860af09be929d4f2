import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { type BulkResult, exportDnsZone, importDnsZone, previewDnsImport } from '@vigie/contracts/dns-changes';
import { maxCommentLength, maxFreeCommentLength, type RecordContent } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { ZoneStates } from '../history/zone-states';
import type { ProviderRecord } from '../providers/provider';
import { recordKey, zoneVersion } from '../records/canonical';
import { limitChanges } from '../records/limit-changes';
import { planBetween, type PlannedChange } from '../records/plan';
import { toPreview } from '../records/previews';
import { toBulkResult, ZoneChanges } from '../records/zone-changes';
import { type ZoneContext, ZoneAccess } from '../zones/zone-access';
import { mayMention, parseZoneFile, type ZoneFile } from './parse-zone-file';
import { writeZoneFile } from './write-zone-file';

@Controller()
export class ZoneFilesController {
  constructor(
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly states: ZoneStates,
  ) {}

  @Handles(exportDnsZone)
  async export({ zone_id: zoneId }: Input<typeof exportDnsZone>) {
    const context = await this.access.find(zoneId);
    const { name, details } = context.zone;
    const records = await this.states.readRecords(context);
    const zone = { name, name_servers: details.name_servers };
    const content = writeZoneFile(zone, records, new Date());
    if (Buffer.byteLength(JSON.stringify(content)) > maxBytes) throw tooLarge();
    return { filename: `${name}.zone.txt`, content };
  }

  @Handles(previewDnsImport)
  async preview({
    zone_id: zoneId,
    content,
    mode,
  }: Input<typeof previewDnsImport>): Promise<Output<typeof previewDnsImport>> {
    const context = await this.access.find(zoneId);
    const file = parseFile(context, content);
    const records = await this.states.readRecords(context);
    const planned = planImport(context, records, file, mode);
    const touched = planned.filter(({ difference }) => difference.action !== 'delete').length;
    return {
      ...toPreview(planned),
      version: zoneVersion(records),
      problems: file.problems.slice(0, maxProblems),
      problems_total: file.problems.length,
      unchanged: file.records.length - touched,
      spared: mode === 'replace' ? recordsToSpare(context, records, file).length : 0,
    };
  }

  @Handles(importDnsZone)
  async import(input: Input<typeof importDnsZone>): Promise<BulkResult> {
    const context = await this.access.find(input.zone_id);
    const file = parseFile(context, input.content);
    const limit = limitChanges();
    const applied = await this.changes.apply(context, {
      reason: 'import',
      expectedZone: input.expected_zone,
      plan: (records) => limit.take(planImport(context, records, file, input.mode)),
    });
    return limit.finish(toBulkResult(applied, context.zone.name));
  }
}

const maxProblems = 200;
/** A message holds a megabyte; the rest is room for the other fields. */
const maxBytes = 900_000;

const tooLarge = () =>
  new AppError(
    'too_large',
    'Cette zone est trop grande pour un seul fichier. Exportez-la depuis Cloudflare\u00a0: page DNS, «\u00a0Import and Export\u00a0».',
  );

const isZoneNameServer = ({ zone }: ZoneContext, { type, name }: RecordContent) => type === 'NS' && name === zone.name;

/** Leaves out Cloudflare’s own name servers, which are no records of the zone. */
function parseFile(context: ZoneContext, content: string): ZoneFile {
  const servers = new Set(context.zone.details.name_servers);
  const { name, details } = context.zone;
  const { records, problems } = parseZoneFile(content, name, maxCommentOf(details.plan));
  return {
    records: records.filter((each) => !(isZoneNameServer(context, each) && servers.has(each.content))),
    problems,
  };
}

/** A plan that is not known to be paid is treated as free. */
const maxCommentOf = (plan: string | null) =>
  plan === null || /free/i.test(plan) ? maxFreeCommentLength : maxCommentLength;

const keysOf = (records: readonly RecordContent[]) => new Set(records.map(recordKey));

/** Replacing a zone keeps the records that Vigie cannot write, and the zone’s name servers. */
const isOutOfScope = (context: ZoneContext, record: ProviderRecord) =>
  !record.editable || isZoneNameServer(context, record);

/** Returns the records that replacing would delete, but that a skipped line may concern. */
function recordsToSpare(context: ZoneContext, records: readonly ProviderRecord[], file: ZoneFile): ProviderRecord[] {
  const [isMentioned, fileKeys] = [mayMention(file), keysOf(file.records)];
  return records.filter(
    (each) => isMentioned(each.name) && !isOutOfScope(context, each) && !fileKeys.has(recordKey(each)),
  );
}

function planImport(
  context: ZoneContext,
  records: readonly ProviderRecord[],
  file: ZoneFile,
  mode: 'add' | 'replace',
): PlannedChange[] {
  const { name } = context.zone;
  if (mode === 'replace') {
    const fileKeys = keysOf(file.records);
    const untouched = records.filter((each) => isOutOfScope(context, each) && !fileKeys.has(recordKey(each)));
    return planBetween(records, [...file.records, ...untouched, ...recordsToSpare(context, records, file)], name);
  }
  const existingKeys = keysOf(records);
  return planBetween(records, [...records, ...file.records.filter((each) => !existingKeys.has(recordKey(each)))], name);
}
