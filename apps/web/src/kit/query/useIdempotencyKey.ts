import { useRef } from 'react';
import { randomHex } from '../../ui/hex';

/**
 * The key of one creation. Sending the same form again keeps the key, so that a lost response creates nothing twice. A changed
 * form gets a new key, because the server refuses another body under the same key.
 */
export function useIdempotencyKey() {
  const last = useRef<{ key: string; body: string }>(undefined);
  return {
    keyFor: (form: object): string => {
      const body = JSON.stringify(form);
      if (last.current?.body !== body) last.current = { key: randomHex(16), body };
      return last.current.key;
    },
    renewKey: (): void => {
      last.current = undefined;
    },
  };
}
