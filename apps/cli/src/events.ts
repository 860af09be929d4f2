import { setTimeout as wait } from 'node:timers/promises';
import { type ActivityItem, activityKindNames, listActivity } from '@vigie/contracts/activity';
import type { Cli } from './cli';
import { safeJsonLine } from './escapes';
import { exitCodes } from './failures';
import { formatTime } from './times';

const usualPauseMs = 3_000;
const usualEvents = 20;
/** As many as one answer holds. */
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
function show(cli: Cli, events: readonly ActivityItem[], header = headerOf(cli).map(() => '')): void {
  if (cli.isJson) for (const event of events) cli.output.raw(safeJsonLine(event));
  else cli.output.table(header, events.map(rowOf));
}

const missed = {
  fr: `Des événements manquent peut-être ici\u00a0: il y en a eu ${maxEvents} ou plus d’un coup.`,
  en: `Events may be missing here: there were ${maxEvents} or more at once.`,
};

type Read = () => Promise<ActivityItem[]>;

/** Shows the latest events and then what is new, until nobody reads it any more. */
export async function follow(
  cli: Cli,
  read: Read,
  { count, pauseMs = usualPauseMs }: { count: number; pauseMs?: number },
): Promise<number> {
  const first = await read();
  const seen = new Set(first.map(({ id }) => id));
  show(cli, first.slice(0, count).toReversed(), headerOf(cli));
  while (cli.output.isRead) {
    await wait(pauseMs);
    const fresh = (await read()).filter(({ id }) => !seen.has(id));
    // Where no event of the answer was known, those before it may be unknown too.
    if (fresh.length >= maxEvents) cli.warn(missed);
    for (const { id } of fresh) seen.add(id);
    show(cli, fresh.toReversed());
  }
  return exitCodes.done;
}

export async function list(cli: Cli): Promise<number> {
  const kind = cli.oneOf('kind', activityKindNames);
  const answer = (limit: number) => cli.api.answer(listActivity, { limit, ...(kind && { kind }) });
  const count = cli.number('limit') ?? usualEvents;
  if (cli.has('follow')) return follow(cli, async () => (await answer(maxEvents)).data.items, { count });
  const { data, raw } = await answer(count);
  if (cli.isJson) cli.output.json(raw);
  else cli.output.table(headerOf(cli), data.items.map(rowOf));
  return exitCodes.done;
}
