import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  listMaintenanceWindows,
  type MaintenanceWindow,
} from '@vigie/contracts/maintenance-windows';
import type { Cli } from './cli';
import { exitCodes, usage } from './failures';
import { same, type Words } from './language';
import { findSite } from './names';
import { formatTime } from './times';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h`, `90m` or `1d`; two hours without the option. */
export function durationOf(text = '2h'): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const each = unitMs[unit];
  if (count === undefined || each === undefined)
    throw usage('--for attend une durée comme 90m, 2h ou 1d.', '--for needs a time such as 90m, 2h or 1d.');
  return Number(count) * each;
}

/** Begins a maintenance of a site now. */
export async function begin(cli: Cli): Promise<number> {
  const ms = durationOf(cli.value('for'));
  const site = await findSite(cli, cli.given.parameters[0] ?? '');
  const { data, raw } = await cli.api.answer(createMaintenanceWindow, {
    site_id: site.id,
    ends_at: new Date(Date.now() + ms).toISOString(),
    note: cli.value('note') ?? null,
  });
  const until = formatTime(data.running_until ?? data.ends_at);
  if (cli.isJson) cli.output.json(raw);
  else
    cli.note({
      fr: `${site.name} est en maintenance jusqu’à ${until}.`,
      en: `${site.name} is in maintenance until ${until}.`,
    });
  return exitCodes.done;
}

const noOne: Words = { fr: 'un groupe non partagé', en: 'a group not shared' };

/** From when to when; of one of each week, its next time. */
function timeOf({ running_until: until, next_at: next }: MaintenanceWindow): Words {
  if (until === null) return same(next === null ? '' : formatTime(next));
  const time = formatTime(until);
  return { fr: `en cours, jusqu’à ${time}`, en: `now, until ${time}` };
}

export async function list(cli: Cli): Promise<number> {
  const [name] = cli.given.parameters;
  const site = name === undefined ? undefined : await findSite(cli, name);
  const filters = { ...(site && { site_id: site.id }), limit: cli.number('limit') ?? 20 };
  const { data, raw } = await cli.api.answer(listMaintenanceWindows, filters);
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        'ID',
        cli.say({ fr: 'DE', en: 'OF' }),
        cli.say({ fr: 'QUAND', en: 'WHEN' }),
        cli.say({ fr: 'CHAQUE SEMAINE', en: 'EACH WEEK' }),
        'NOTE',
      ],
      data.items.map((window) => [
        window.id,
        window.target_name ?? cli.say(noOne),
        cli.say(timeOf(window)),
        cli.say(window.weekdays === null ? { fr: 'non', en: 'no' } : { fr: 'oui', en: 'yes' }),
        window.note,
      ]),
    );
  return exitCodes.done;
}

export async function end(cli: Cli): Promise<number> {
  const { raw } = await cli.api.answer(deleteMaintenanceWindow, { id: cli.given.parameters[0] ?? '' });
  if (cli.isJson) cli.output.json(raw);
  else cli.note({ fr: 'Maintenance terminée.', en: 'The maintenance has ended.' });
  return exitCodes.done;
}
