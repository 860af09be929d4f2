import { useDebouncedValue } from '@mantine/hooks';

const typingMs = 250;

/** The words of a search, once nobody adds to them any more. What is taken away is not typed letter by letter. */
export function useSettled(q: string): string {
  const [typed] = useDebouncedValue(q, typingMs);
  return q === '' ? '' : typed;
}
