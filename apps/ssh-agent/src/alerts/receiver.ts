import type { ChannelKind } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { ChannelTarget } from './channel-target';

/** Who is at the other end of an address. */
export type CalledKind = Exclude<ChannelKind, 'mail'>;
/** Who takes messages. */
export type ReceiverKind = Exclude<CalledKind, 'heartbeat'>;

/** Where a message goes. `url` is the address of Telegram itself for all of its conversations. */
export type Receiver = { kind: ReceiverKind; url: string; secret: string | null; chatId: string | null };
/** What answers a request, and the texts that its answer must not show. */
export type Called = Pick<Receiver, 'url' | 'secret'> & { kind: CalledKind };

export function receiverOf(target: ChannelTarget, telegramUrl: string): Receiver {
  const { kind, secret, chat_id: chatId } = target;
  const url = kind === 'telegram' ? telegramUrl : target.url;
  if (kind === 'mail' || kind === 'heartbeat' || url === null)
    throw new AppError('invalid', 'Ce canal n’a pas d’adresse à laquelle envoyer.');
  return { kind, url, secret, chatId };
}

/** The service that notices when the signs of life cease. */
export function calledOf({ kind, url, secret }: ChannelTarget): Called {
  if (kind !== 'heartbeat' || url === null) throw new AppError('invalid', 'Ce canal n’a pas d’adresse à appeler.');
  return { kind, url, secret };
}
