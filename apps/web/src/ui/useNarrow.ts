import { useMediaQuery } from '@mantine/hooks';

/** Reads the width before the first render, so that nothing is rendered twice. */
const atOnce = { getInitialValueInEffect: false };

/** Compares the width of the window in pixels; under 900, the columns of a list do not fit. */
export const useNarrow = (below = 900): boolean => useMediaQuery(`(width < ${below}px)`, undefined, atOnce);
