import { useRef } from 'react';
import { randomHex } from '../ui/hex';

/**
 * Names one creation: trying the same form again is the same creation, whatever became of the first answer. A form that
 * changed meanwhile is another one; the server refuses another body under the same key.
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
