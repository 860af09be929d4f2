import { randomHex } from '../../ui/hex';

/** A request of the same content that comes later asks for something new. */
const keepMs = 2 * 60_000;

type Creation = { method?: string; path: string; body?: unknown };
/** `lostAt` is when the request ended without an answer; undefined while it is on its way. */
type Key = { key: string; lostAt: number | undefined };

/** The keys of creations whose outcome is unknown, by their content. */
const keys = new Map<string, Key>();

/** The contents hold secrets of the person who typed them. */
export const forgetCreationKeys = (): void => keys.clear();

const contentOf = ({ method, path, body }: Creation) => JSON.stringify([method, path, body]);

/**
 * The key of one creation. A request that is sent again because its response was lost keeps its key, so that nothing is created
 * twice. Other content gets another key, because the server refuses a second body under the same key.
 */
export function creationKey(call: Creation, now = Date.now()): string {
  for (const [content, { lostAt = now }] of keys) if (now - lostAt > keepMs) keys.delete(content);
  const content = contentOf(call);
  const key = keys.get(content)?.key ?? randomHex(16);
  keys.set(content, { key, lostAt: undefined });
  return key;
}

/** Called with the end of each creation: once the server has answered, the next one asks for something new. */
export function endCreation(call: Creation, isAnswered: boolean, now = Date.now()): void {
  const content = contentOf(call);
  const sent = keys.get(content);
  if (isAnswered) keys.delete(content);
  else if (sent) keys.set(content, { ...sent, lostAt: now });
}

/** The W3C `traceparent` header of one request. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
