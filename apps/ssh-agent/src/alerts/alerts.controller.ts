import { Controller } from '@nestjs/common';
import { beat, sendAlert } from '@vigie/contracts/alerts';
import { importChannel, type ImportChannel } from '@vigie/contracts/channels';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { env } from '../env';
import { ruleFor } from '../site-checks/rule-for';
import { type ChannelTarget, openTarget, sealTarget } from './channel-target';
import { deliver } from './deliver';
import { giveSign } from './give-sign';
import { givenTarget, type GivenTarget, isGivenAnew, nextTarget, refuseGiven } from './next-target';
import { calledOf, receiverOf } from './receiver';

@Controller()
export class AlertsController {
  constructor(private readonly keyRing: KeyRing) {}

  @Handles(importChannel)
  async import(input: ImportChannel): Promise<Output<typeof importChannel>> {
    const given = givenTarget(input);
    refuseGiven(input, given);
    const { target, madeSecret } = nextTarget(input.kind, given, await this.openCurrent(input, given));
    return {
      target: await sealTarget(this.keyRing, target, input.channel_id),
      host: hostOf(target),
      has_secret: target.secret !== null,
      made_secret: madeSecret,
      digest: this.keyRing.hash(JSON.stringify([given.url, given.secret]), 'channel-target'),
    };
  }

  @Handles(sendAlert)
  async send(input: Input<typeof sendAlert>): Promise<Output<typeof sendAlert>> {
    const { message, message_id: messageId } = input;
    const target = await openTarget(this.keyRing, { ...input, channelId: input.channel_id });
    const receiver = receiverOf(target, env.VIGIE_TELEGRAM_URL);
    return deliver({ message, messageId, receiver, mayConnect: ruleFor(input) });
  }

  @Handles(beat)
  async beat(input: Input<typeof beat>): Promise<Output<typeof beat>> {
    const target = await openTarget(this.keyRing, { ...input, kind: 'heartbeat', channelId: input.channel_id });
    const { status, answer, error } = await giveSign(calledOf(target), ruleFor(input));
    return { status, answer, error };
  }

  /** The stored target. It may be unreadable after a key file was lost; one that is given anew then replaces it. */
  private async openCurrent(input: ImportChannel, given: GivenTarget): Promise<ChannelTarget | undefined> {
    const { channel_id: channelId, kind, current } = input;
    if (!current) return undefined;
    const opened = openTarget(this.keyRing, { channelId, kind, target: current });
    return isGivenAnew(kind, given) ? opened.catch(undefinedIfUnreadable) : opened;
  }
}

function undefinedIfUnreadable(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'conflict') return undefined;
  throw error;
}

/** Shown beside the channel, without the path, which is a secret of most kinds. */
function hostOf({ kind, url }: ChannelTarget): string | null {
  if (kind === 'telegram') return new URL(env.VIGIE_TELEGRAM_URL).host;
  return url === null ? null : new URL(url).host;
}
