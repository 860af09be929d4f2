import { useDebouncedValue } from '@mantine/hooks';

const typingMs = 250;

/** Waits for the end of typing; a search that is cleared applies at once. */
export function useDebouncedSearch(q: string): string {
  const [debounced] = useDebouncedValue(q, typingMs);
  return q === '' ? '' : debounced;
}
