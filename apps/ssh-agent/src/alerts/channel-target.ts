import { ChannelKind } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import { z } from 'zod';

/** Where a channel sends. It is sealed as one value, so that no address can be joined to the secret of another one. */
const ChannelTarget = z.object({
  kind: ChannelKind,
  url: z.string().nullable(),
  secret: z.string().nullable(),
  chat_id: z.string().nullable(),
});
export type ChannelTarget = z.infer<typeof ChannelTarget>;

/** Binds a target to its channel, so that it opens for no other. */
const sealContextOf = (channelId: string) => JSON.stringify(['channels', channelId, 'target']);

export const sealTarget = (keyRing: KeyRing, target: ChannelTarget, channelId: string): Promise<SealedText> =>
  keyRing.seal(JSON.stringify(target), sealContextOf(channelId));

type SealedTarget = { channelId: string; kind: ChannelKind; target: SealedText };

export async function openTarget(keyRing: KeyRing, sealed: SealedTarget): Promise<ChannelTarget> {
  const { channelId, kind } = sealed;
  const text = await keyRing.unseal(sealed.target, sealContextOf(channelId)).catch((cause: unknown) => {
    throw unreadableTarget(cause);
  });
  const target = ChannelTarget.parse(JSON.parse(text));
  if (target.kind !== kind)
    throw new AppError('invalid', 'Un canal ne peut pas changer de sorte\u00a0: créez-en un autre.');
  return target;
}

const unreadableTarget = (cause: unknown) =>
  new AppError(
    'conflict',
    'L’adresse et le secret enregistrés sont illisibles pour ce canal\u00a0: saisissez-les de nouveau.',
    { cause },
  );
