import type { AlertAnswer } from '@vigie/contracts/alerts';
import type { OutboundRule } from '../site-checks/guarded-request';
import { toAlertAnswer, toFailedAnswer } from './answer';
import { callAddress, PostFailure } from './post';
import type { Called } from './receiver';
import { otherSides } from './sentences';

/** Gives one sign of life. The next one comes a minute later, whatever becomes of this one. */
export async function giveSign(called: Called, mayConnect: OutboundRule): Promise<AlertAnswer> {
  try {
    return toAlertAnswer(await callAddress(called.url, { mayConnect, otherSide: otherSides[called.kind] }), called);
  } catch (error) {
    if (error instanceof PostFailure) return toFailedAnswer(error, called);
    throw error;
  }
}
