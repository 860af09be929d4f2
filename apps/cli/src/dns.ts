import { applyDnsChanges, type DnsChange, type DnsDifference, previewDnsChanges } from '@vigie/contracts/dns-changes';
import { isRecordType, recordTypes } from '@vigie/contracts/dns-content';
import { type DnsRecord, listDnsRecords, type RecordContent } from '@vigie/contracts/dns-records';
import { listDnsZones } from '@vigie/contracts/dns-zones';
import type { z } from 'zod';
import type { Cli } from './cli';
import { exitCodes, Failure, usage } from './failures';
import { same } from './language';
import { findZone } from './names';

type Change = z.input<typeof DnsChange>;
type Zone = Awaited<ReturnType<typeof findZone>>;

export async function zones(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(listDnsZones, { q: cli.given.parameters.join(' ') });
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.tableById(
      ['REF', cli.say({ fr: 'DOMAINE', en: 'DOMAIN' }), cli.say({ fr: 'ÉTAT', en: 'STATUS' }), 'SITE'],
      data.zones.map((zone) => [zone.ref, zone.display_name, zone.status, zone.site_name]),
    );
  if (data.problem !== null) cli.output.note(data.problem);
  return exitCodes.done;
}

const automaticTtl = 1;

export async function records(cli: Cli): Promise<number> {
  const [word = '', ...q] = cli.given.parameters;
  const zone = await findZone(cli, word);
  const type = cli.value('type');
  const fields = { zone_id: zone.ref, q: q.join(' '), ...(type !== undefined && { type }) };
  const { data, raw } = await cli.api.answer(listDnsRecords, fields);
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      ['ID', 'TYPE', cli.say({ fr: 'NOM', en: 'NAME' }), cli.say({ fr: 'CONTENU', en: 'CONTENT' }), 'TTL', 'PROXY'],
      data.records.map((record) => [
        record.id,
        record.type,
        record.display_name,
        [record.priority, record.content].filter((part) => part !== null).join(' '),
        record.ttl === automaticTtl ? 'auto' : record.ttl,
        record.proxied ? cli.say({ fr: 'oui', en: 'yes' }) : '',
      ]),
    );
  return exitCodes.done;
}

function chosenType(word: string) {
  const type = word.toUpperCase();
  if (isRecordType(type)) return type;
  throw usage(
    `Type inconnu\u00a0: ${word}. Connus\u00a0: ${recordTypes.join(', ')}`,
    `Unknown type: ${word}. Known: ${recordTypes.join(', ')}`,
  );
}

function chosenProxy(cli: Cli): { proxied?: boolean } {
  const word = cli.oneOf('proxied', ['yes', 'no', 'oui', 'non'] as const);
  return word === undefined ? {} : { proxied: word === 'yes' || word === 'oui' };
}

/** The fields that the options set; the others stay as they are, or take the default of a new record. */
function chosenFields(cli: Cli) {
  const [ttl, priority, comment] = [cli.number('ttl'), cli.number('priority'), cli.value('comment')];
  return {
    ...(ttl !== undefined && { ttl }),
    ...(priority !== undefined && { priority }),
    ...(comment !== undefined && { comment }),
    ...chosenProxy(cli),
  };
}

/** The only record of this type and name, and of this content where one is given. */
async function findRecord(cli: Cli, zone: Zone, content: string | undefined): Promise<DnsRecord> {
  const [, typeWord = '', name = ''] = cli.given.parameters;
  const type = chosenType(typeWord);
  const id = cli.value('id');
  const { records: all } = await cli.api.call(listDnsRecords, { zone_id: zone.ref, type });
  const wanted = name.toLowerCase();
  const found = all.filter(
    (record) =>
      (id === undefined || record.id === id) &&
      [record.name, record.display_name, `${record.name}.`].some((each) => each.toLowerCase() === wanted) &&
      (content === undefined || record.content === content),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  const list = found.map((record) => `\n  ${record.id}  ${record.content}`).join('');
  throw usage(
    found.length === 0
      ? `${zone.display_name} n’a pas d’enregistrement ${type} ${name}.`
      : `Plusieurs enregistrements ${type} ${name}\u00a0: choisissez par --id.${list}`,
    found.length === 0
      ? `${zone.display_name} has no record ${type} ${name}.`
      : `Several records ${type} ${name}: choose by --id.${list}`,
  );
}

const textOf = (record: RecordContent | null): string =>
  record
    ? [
        record.type,
        record.name,
        record.priority,
        record.content,
        record.ttl === automaticTtl ? 'auto' : record.ttl,
        record.proxied ? 'proxy' : null,
      ]
        .filter((part) => part !== null)
        .join(' ')
    : '';

function showDifference(cli: Cli, { before, after, action, warnings, refusal }: DnsDifference): void {
  // What is refused changes nothing, and the refusal says why.
  if (refusal !== null) return;
  if (action === 'none') cli.note({ fr: 'Rien à changer.', en: 'Nothing to change.' });
  else
    for (const [sign, record] of [
      ['-', before],
      ['+', after],
    ] as const)
      if (record) cli.output.line(`${sign} ${textOf(record)}`);
  for (const warning of warnings) cli.output.note(warning);
}

/** Whether the change is to be made, once its effect was shown. */
async function isWanted(cli: Cli, zone: Zone, difference: DnsDifference | undefined): Promise<boolean> {
  if (difference && difference.refusal !== null) throw new Failure('refused', same(difference.refusal));
  if (cli.has('plan')) return false;
  if (difference?.action === 'none') return false;
  const question = { fr: `Changer ${zone.display_name}\u202f?`, en: `Change ${zone.display_name}?` };
  if (await cli.confirm(question)) return true;
  throw new Failure('refused', { fr: 'Rien n’est changé.', en: 'Nothing was changed.' });
}

/** Shows what a change does to the zone, then makes it, if the zone is still as it was shown. */
async function change(cli: Cli, zone: Zone, wanted: Change): Promise<number> {
  const { data: preview, raw } = await cli.api.answer(previewDnsChanges, { zone_id: zone.ref, changes: [wanted] });
  const [difference] = preview.differences;
  if (difference && !cli.isJson) showDifference(cli, difference);
  if (cli.isJson && cli.has('plan')) cli.output.json(raw);
  if (!(await isWanted(cli, zone, difference))) {
    if (cli.isJson && !cli.has('plan')) cli.output.json(raw);
    return exitCodes.done;
  }
  return apply(cli, { zone_id: zone.ref, changes: [wanted], expected_zone: preview.version });
}

async function apply(cli: Cli, order: z.input<(typeof applyDnsChanges)['input']>): Promise<number> {
  const { data, raw } = await cli.api.answer(applyDnsChanges, order);
  if (cli.isJson) cli.output.json(raw);
  const [result] = data.results;
  if (result?.state !== 'done')
    throw new Failure(result?.state === 'unknown' ? 'unknown' : 'failed', same(result?.message ?? data.stopped ?? ''));
  cli.note({ fr: 'Fait.', en: 'Done.' });
  return exitCodes.done;
}

export async function add(cli: Cli): Promise<number> {
  const [word = '', type = '', name = '', content = ''] = cli.given.parameters;
  const record = { type: chosenType(type), name, content, ...chosenFields(cli) };
  return change(cli, await findZone(cli, word), { action: 'create', record });
}

export async function set(cli: Cli): Promise<number> {
  const [word = '', , , content = ''] = cli.given.parameters;
  const zone = await findZone(cli, word);
  const { id, version } = await findRecord(cli, zone, undefined);
  const record = { content, ...chosenFields(cli) };
  return change(cli, zone, { action: 'edit', record_id: id, record, expected: version });
}

export async function remove(cli: Cli): Promise<number> {
  const [word = '', , , content] = cli.given.parameters;
  const zone = await findZone(cli, word);
  const { id, version } = await findRecord(cli, zone, content);
  return change(cli, zone, { action: 'delete', record_id: id, expected: version });
}
