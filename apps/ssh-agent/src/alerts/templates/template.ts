import type { AlertMessage } from '@vigie/contracts/alerts';
import type { Receiver } from '../receiver';

/** `messageId` is the same for each attempt of a message; `at` is the time of this attempt. */
type Attempt = { messageId: string; at: Date };
export type AlertRequest = { url: string; headers: Record<string, string>; body: string };

/** Writes a message as its receiver wants it. */
export type Template = (message: AlertMessage, receiver: Receiver, attempt: Attempt) => AlertRequest;

export const jsonRequest = (url: string, body: object): AlertRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
