import type { ChannelKind } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { ChannelTarget } from './channel-target';

export type ReceiverKind = Exclude<ChannelKind, 'mail'>;

/** Where a message goes. `url` is the address of Telegram itself for all of its conversations. */
export type Receiver = { kind: ReceiverKind; url: string; secret: string | null; chatId: string | null };

export function receiverOf(target: ChannelTarget, telegramUrl: string): Receiver {
  const { kind, secret, chat_id: chatId } = target;
  const url = kind === 'telegram' ? telegramUrl : target.url;
  if (kind === 'mail' || url === null) throw new AppError('invalid', 'Ce canal n’a pas d’adresse à laquelle envoyer.');
  return { kind, url, secret, chatId };
}
