import { Button } from '@mantine/core';
import { useFocusHandOver } from '../../ui/useFocusHandOver';

type Props = { label?: string; onClear: () => void };

/** Clears the filters of an empty list, and moves the focus to its search. */
export function ClearFilters({ label = 'Effacer les filtres', onClear }: Props) {
  const button = useFocusHandOver<HTMLButtonElement>();
  return (
    <Button ref={button} variant="default" onClick={onClear}>
      {label}
    </Button>
  );
}
