import { useRef } from 'react';

/** `crypto.randomUUID` needs a secure context; a console on a local network often has none. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Names one creation: trying the same form again is the same creation, whatever became of the first answer. A form that
 * changed meanwhile is another one; the server refuses another body under the same key.
 */
export function useIdempotencyKey() {
  const last = useRef<{ key: string; body: string }>(undefined);
  return {
    keyFor: (form: object): string => {
      const body = JSON.stringify(form);
      if (last.current?.body !== body) last.current = { key: randomKey(), body };
      return last.current.key;
    },
    renewKey: (): void => {
      last.current = undefined;
    },
  };
}
