import { setTimeout as wait } from 'node:timers/promises';
import { type ActivityItem, activityKindNames, listActivity } from '@vigie/contracts/activity';
import type { Cli } from './cli';
import { safeJsonLine } from './escapes';
import { exitCodes } from './failures';
import { formatTime } from './times';

const pauseMs = 3_000;
const maxEvents = 50;

/** `Vitrine 1.2.0 → 1.3.0`, as far as the details say it. */
function detailsOf({ details: { name, slug, from, to } }: ActivityItem): string {
  const texts = [name ?? slug, [from, to].filter((part) => typeof part === 'string').join(' → ')];
  return texts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

const rowOf = (event: ActivityItem) => [
  formatTime(event.created_at),
  event.type,
  event.site_name ?? event.server_name,
  detailsOf(event),
  event.actor_name,
];

const headerOf = (cli: Cli) => [
  cli.say({ fr: 'QUAND', en: 'WHEN' }),
  cli.say({ fr: 'QUOI', en: 'WHAT' }),
  cli.say({ fr: 'SITE OU SERVEUR', en: 'SITE OR SERVER' }),
  '',
  cli.say({ fr: 'QUI', en: 'WHO' }),
];

/** Events come one a line, as they happen: JSON too, so that a program can read them one by one. */
async function follow(
  cli: Cli,
  read: (limit: number) => Promise<ActivityItem[]>,
  first: ActivityItem[],
): Promise<never> {
  const seen = new Set<string>();
  for (let events = first; ; ) {
    for (const event of events.toReversed()) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      if (cli.isJson) cli.output.raw(safeJsonLine(event));
      else
        cli.output.line(
          rowOf(event)
            .map((cell) => cell ?? '')
            .join('  '),
        );
    }
    await wait(pauseMs);
    events = await read(maxEvents);
  }
}

export async function list(cli: Cli): Promise<number> {
  const kind = cli.oneOf('kind', activityKindNames);
  const answer = (limit: number) => cli.api.answer(listActivity, { limit, ...(kind && { kind }) });
  const { data, raw } = await answer(cli.number('limit') ?? 20);
  if (cli.has('follow')) return follow(cli, async (limit) => (await answer(limit)).data.items, data.items);
  if (cli.isJson) cli.output.json(raw);
  else cli.output.table(headerOf(cli), data.items.map(rowOf));
  return exitCodes.done;
}
