import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { type BulkResult, exportDnsZone, importDnsZone, previewDnsImport } from '@vigie/contracts/dns-changes';
import type { RecordContent } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import type { HeldRecord } from '../providers/provider';
import { keyOf, zoneVersion } from '../records/canonical';
import { firstChanges } from '../records/first-changes';
import { planBetween, type Planned } from '../records/plan';
import { toPreview } from '../records/previews';
import { toBulkResult, ZoneChanges } from '../records/zone-changes';
import { ZoneStates } from '../records/zone-states';
import { type Reached, ZoneAccess } from '../zones/zone-access';
import { parseZoneFile } from './parse-zone-file';
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
    const reached = await this.access.find(zoneId);
    const { name, facts } = reached.zone;
    const records = await this.states.look(reached);
    const zone = { name, name_servers: facts.name_servers };
    const content = writeZoneFile(zone, records, new Date());
    if (Buffer.byteLength(JSON.stringify(content)) > mostBytes) throw tooLarge();
    return { filename: `${name}.zone.txt`, content };
  }

  @Handles(previewDnsImport)
  async preview({
    zone_id: zoneId,
    content,
    mode,
  }: Input<typeof previewDnsImport>): Promise<Output<typeof previewDnsImport>> {
    const reached = await this.access.find(zoneId);
    const file = parseZoneFile(content, reached.zone.name);
    const records = await this.states.look(reached);
    const wanted = foreignOf(reached, file.records);
    const planned = planImport(reached, records, wanted, mode);
    const touched = planned.filter(({ difference }) => difference.action !== 'delete').length;
    return {
      ...toPreview(planned),
      version: zoneVersion(records),
      problems: file.problems.slice(0, mostProblems),
      unchanged: wanted.length - touched,
    };
  }

  @Handles(importDnsZone)
  async import(input: Input<typeof importDnsZone>): Promise<BulkResult> {
    const reached = await this.access.find(input.zone_id);
    const wanted = foreignOf(reached, parseZoneFile(input.content, reached.zone.name).records);
    const part = firstChanges();
    const applied = await this.changes.apply(reached, {
      reason: 'import',
      expectedZone: input.expected_zone,
      plan: (records) => part.take(planImport(reached, records, wanted, input.mode)),
    });
    return part.finish(toBulkResult(applied, reached.zone.name));
  }
}

const mostProblems = 200;
/** Of a message of a megabyte, with room for what is around it. */
const mostBytes = 900_000;

const tooLarge = () =>
  new AppError(
    'too_large',
    'Cette zone est trop grande pour un seul fichier. Exportez-la depuis Cloudflare\u00a0: page DNS, «\u00a0Import and Export\u00a0».',
  );

const isZonesOwn = ({ zone }: Reached, { type, name }: RecordContent) => type === 'NS' && name === zone.name;

/** Without the name servers that Cloudflare gives the zone: those are no records of it. */
function foreignOf(reached: Reached, records: readonly RecordContent[]): RecordContent[] {
  const servers = new Set(reached.zone.facts.name_servers);
  return records.filter((record) => !(isZonesOwn(reached, record) && servers.has(record.content)));
}

function planImport(
  reached: Reached,
  records: readonly HeldRecord[],
  wanted: readonly RecordContent[],
  mode: 'add' | 'replace',
): Planned[] {
  const { name } = reached.zone;
  if (mode === 'replace') {
    // What Vigie may not write stays, and so do the name servers of the zone.
    const kept = records.filter((record) => !record.editable || isZonesOwn(reached, record));
    return planBetween(records, [...wanted, ...kept], name);
  }
  const known = new Set(records.map(keyOf));
  return planBetween(records, [...records, ...wanted.filter((record) => !known.has(keyOf(record)))], name);
}
