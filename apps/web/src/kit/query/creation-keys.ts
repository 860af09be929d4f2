import { randomHex } from '../../ui/hex';

/** A later request of the same content asks for something new. */
const keepMs = 10 * 60_000;

type Key = { key: string; madeAt: number };

/** The keys of creations whose outcome is unknown, by their content. */
const keys = new Map<string, Key>();

type Creation = { method?: string; path: string; body?: unknown };

const contentOf = ({ method, path, body }: Creation) => JSON.stringify([method, path, body]);

/**
 * The key of one creation. A request that is sent again because its response was lost keeps its key, so that nothing is created
 * twice. Other content gets another key, because the server refuses a second body under the same key.
 */
export function creationKey(call: Creation, now = Date.now()): string {
  for (const [content, { madeAt }] of keys) if (now - madeAt > keepMs) keys.delete(content);
  const content = contentOf(call);
  const { key, madeAt } = keys.get(content) ?? { key: randomHex(16), madeAt: now };
  keys.set(content, { key, madeAt });
  return key;
}

/** The server has answered: the next request of the same content asks for something new. */
export const forgetCreationKey = (call: Creation): boolean => keys.delete(contentOf(call));
