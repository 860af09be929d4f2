import type { AlertAnswer, AlertMessage } from '@vigie/contracts/alerts';
import type { OutboundRule } from '../site-checks/guarded-request';
import { toAlertAnswer, toFailedAnswer } from './answer';
import { post, PostFailure } from './post';
import type { Receiver } from './receiver';
import { otherSides } from './sentences';
import { requestFor } from './templates/request-for';

type Delivery = { message: AlertMessage; messageId: string; receiver: Receiver; mayConnect: OutboundRule };

/** Makes one attempt. */
export async function deliver({ message, messageId, receiver, mayConnect }: Delivery): Promise<AlertAnswer> {
  const request = requestFor(message, receiver, { messageId, at: new Date() });
  try {
    return toAlertAnswer(await post(request, { mayConnect, otherSide: otherSides[receiver.kind] }), receiver);
  } catch (error) {
    if (error instanceof PostFailure) return toFailedAnswer(error, receiver);
    throw error;
  }
}
