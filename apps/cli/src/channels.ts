import {
  type AlertKind,
  type Channel,
  type ChannelHeartbeat,
  type Delivery,
  DeliveryState,
  listChannels,
  listDeliveries,
} from '@vigie/contracts/channels';
import type { Severity } from '@vigie/contracts/incidents';
import type { Cli } from './cli';
import { exitCodes } from './failures';
import { same, type Words } from './language';
import { formatTime } from './times';

const states: Readonly<Record<DeliveryState, Words>> = {
  queued: { fr: 'en attente', en: 'waits' },
  sent: { fr: 'envoyé', en: 'sent' },
  failed: { fr: 'échec', en: 'failed' },
  cancelled: { fr: 'sans objet', en: 'cancelled' },
};

const severities: Readonly<Record<Severity, Words>> = {
  critical: { fr: 'critique', en: 'critical' },
  warning: { fr: 'attention', en: 'warning' },
  info: { fr: 'information', en: 'information' },
};

const messages: Readonly<Record<AlertKind, Words>> = {
  opened: { fr: 'ouverture', en: 'began' },
  reopened: { fr: 'réouverture', en: 'reopened' },
  reminder: { fr: 'rappel', en: 'reminder' },
  resolved: { fr: 'fin', en: 'ended' },
  test: { fr: 'test', en: 'test' },
  digest: { fr: 'bulletin', en: 'summary' },
};

/** Who or what receives the messages. A mail without addresses goes to the people of the channel. */
function targetOf({ kind, host, emails, chat_id: chat, is_shared: isShared }: Channel): Words {
  if (kind === 'telegram' && chat !== null) return same(chat);
  if (kind !== 'mail') return same(host ?? '');
  if (emails.length > 0) return same(emails.join(', '));
  return isShared ? { fr: 'administrateurs', en: 'administrators' } : { fr: 'son propriétaire', en: 'its owner' };
}

/** The least severity of its incidents. A channel without one sends the summary of the day alone. */
function thresholdOf({ kind, min_severity: severity }: Channel): Words {
  if (kind === 'heartbeat') return same('');
  return severity === null ? { fr: 'bulletin seul', en: 'summary only' } : severities[severity];
}

/** What keeps Vigie from calling, or how the last call ended. */
function lastCallOf(cli: Cli, { called_at: calledAt, error, missing }: ChannelHeartbeat): string {
  const parts = missing.map(({ part }) => part).join(', ');
  if (parts !== '') return cli.say({ fr: `pas d’appel\u00a0: il manque ${parts}`, en: `no call: ${parts} missing` });
  if (calledAt === null) return '';
  const word = error === null ? cli.say({ fr: 'accepté', en: 'accepted' }) : cli.say(states.failed);
  return [formatTime(calledAt), word, error].filter(Boolean).join(' ');
}

function lastOf(cli: Cli, { last_delivery: last, heartbeat }: Channel): string {
  if (heartbeat) return lastCallOf(cli, heartbeat);
  return last === null ? '' : [formatTime(last.at), cli.say(states[last.state]), last.error].filter(Boolean).join(' ');
}

export async function list(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(listChannels, {});
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        cli.say({ fr: 'NOM', en: 'NAME' }),
        cli.say({ fr: 'GENRE', en: 'KIND' }),
        cli.say({ fr: 'VERS', en: 'TO' }),
        cli.say({ fr: 'DÈS', en: 'FROM' }),
        cli.say({ fr: 'ACTIF', en: 'ENABLED' }),
        cli.say({ fr: 'DERNIER MESSAGE', en: 'LAST MESSAGE' }),
      ],
      data.items.map((channel) => [
        channel.name,
        channel.kind,
        cli.say(targetOf(channel)),
        cli.say(thresholdOf(channel)),
        cli.say(channel.is_enabled ? { fr: 'oui', en: 'yes' } : { fr: 'non', en: 'no' }),
        lastOf(cli, channel),
      ]),
    );
  return exitCodes.done;
}

/** Why a message did not leave; while it waits, when it leaves or is tried again. */
const detailOf = ({ attempts, error, next_at: next }: Delivery): Words => {
  const verb: Words = attempts > 0 ? { fr: 'nouvel essai', en: 'tried again' } : { fr: 'part', en: 'leaves' };
  const withError = (word: string) => [error, next !== null && `${word} ${formatTime(next)}`].filter(Boolean).join(' ');
  return { fr: withError(verb.fr), en: withError(verb.en) };
};

export async function listMessages(cli: Cli): Promise<number> {
  const state = cli.oneOf('state', DeliveryState.options);
  const filters = { ...(state && { state }), limit: cli.number('limit') ?? 20 };
  const { data, raw } = await cli.api.answer(listDeliveries, filters);
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        cli.say({ fr: 'QUAND', en: 'WHEN' }),
        cli.say({ fr: 'CANAL', en: 'CHANNEL' }),
        cli.say({ fr: 'GENRE', en: 'KIND' }),
        cli.say({ fr: 'QUOI', en: 'WHAT' }),
        cli.say({ fr: 'ÉTAT', en: 'STATE' }),
        cli.say({ fr: 'DÉTAIL', en: 'DETAIL' }),
      ],
      data.items.map((delivery) => [
        formatTime(delivery.created_at),
        delivery.channel.name,
        cli.say(messages[delivery.kind]),
        delivery.title,
        cli.say(states[delivery.state]),
        cli.say(detailOf(delivery)),
      ]),
    );
  return exitCodes.done;
}
