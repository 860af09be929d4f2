import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { type BulkResult, exportDnsZone, importDnsZone, previewDnsImport } from '@vigie/contracts/dns-changes';
import { longestComment, longestFreeComment, type RecordContent } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { ZoneStates } from '../history/zone-states';
import type { HeldRecord } from '../providers/provider';
import { keyOf, zoneVersion } from '../records/canonical';
import { firstChanges } from '../records/first-changes';
import { planBetween, type Planned } from '../records/plan';
import { toPreview } from '../records/previews';
import { toBulkResult, ZoneChanges } from '../records/zone-changes';
import { type Reached, ZoneAccess } from '../zones/zone-access';
import { mayTellOf, parseZoneFile, type ZoneFile } from './parse-zone-file';
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
    if (Buffer.byteLength(JSON.stringify(content)) > maxBytes) throw tooLarge();
    return { filename: `${name}.zone.txt`, content };
  }

  @Handles(previewDnsImport)
  async preview({
    zone_id: zoneId,
    content,
    mode,
  }: Input<typeof previewDnsImport>): Promise<Output<typeof previewDnsImport>> {
    const reached = await this.access.find(zoneId);
    const file = readFile(reached, content);
    const records = await this.states.look(reached);
    const planned = planImport(reached, records, file, mode);
    const touched = planned.filter(({ difference }) => difference.action !== 'delete').length;
    return {
      ...toPreview(planned),
      version: zoneVersion(records),
      problems: file.problems.slice(0, maxProblems),
      problems_total: file.problems.length,
      unchanged: file.records.length - touched,
      spared: mode === 'replace' ? sparedOf(reached, records, file).length : 0,
    };
  }

  @Handles(importDnsZone)
  async import(input: Input<typeof importDnsZone>): Promise<BulkResult> {
    const reached = await this.access.find(input.zone_id);
    const file = readFile(reached, input.content);
    const part = firstChanges();
    const applied = await this.changes.apply(reached, {
      reason: 'import',
      expectedZone: input.expected_zone,
      plan: (records) => part.take(planImport(reached, records, file, input.mode)),
    });
    return part.finish(toBulkResult(applied, reached.zone.name));
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

const isZonesOwn = ({ zone }: Reached, { type, name }: RecordContent) => type === 'NS' && name === zone.name;

/** Leaves out Cloudflare’s own name servers, which are no records of the zone. */
function readFile(reached: Reached, content: string): ZoneFile {
  const servers = new Set(reached.zone.facts.name_servers);
  const { name, facts } = reached.zone;
  const { records, problems } = parseZoneFile(content, name, commentOf(facts.plan));
  return { records: records.filter((each) => !(isZonesOwn(reached, each) && servers.has(each.content))), problems };
}

/** A plan that is not known to be paid is treated as free. */
const commentOf = (plan: string | null) => (plan === null || /free/i.test(plan) ? longestFreeComment : longestComment);

const keysOf = (records: readonly RecordContent[]) => new Set(records.map(keyOf));

/** Replacing a zone keeps the records that Vigie cannot write, and the zone’s name servers. */
const isUntouched = (reached: Reached, record: HeldRecord) => !record.editable || isZonesOwn(reached, record);

/** Returns the records that replacing would delete, but that a skipped line may concern. */
function sparedOf(reached: Reached, records: readonly HeldRecord[], file: ZoneFile): HeldRecord[] {
  const [isTold, wanted] = [mayTellOf(file), keysOf(file.records)];
  return records.filter((each) => isTold(each.name) && !isUntouched(reached, each) && !wanted.has(keyOf(each)));
}

function planImport(
  reached: Reached,
  records: readonly HeldRecord[],
  file: ZoneFile,
  mode: 'add' | 'replace',
): Planned[] {
  const { name } = reached.zone;
  if (mode === 'replace') {
    const wanted = keysOf(file.records);
    const untouched = records.filter((each) => isUntouched(reached, each) && !wanted.has(keyOf(each)));
    return planBetween(records, [...file.records, ...untouched, ...sparedOf(reached, records, file)], name);
  }
  const known = keysOf(records);
  return planBetween(records, [...records, ...file.records.filter((each) => !known.has(keyOf(each)))], name);
}
