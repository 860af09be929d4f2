import { Button } from '@mantine/core';
import { useFocusHandOver } from './useFocusHandOver';

type Props = { label?: string; onClear: () => void };

/** The way out of a list in which nothing corresponds; the search has the focus then. */
export function ClearFilters({ label = 'Effacer les filtres', onClear }: Props) {
  const button = useFocusHandOver<HTMLButtonElement>();
  return (
    <Button ref={button} variant="default" onClick={onClear}>
      {label}
    </Button>
  );
}
