import { useMediaQuery } from '@mantine/hooks';

/** Known when it is first drawn, so that nothing is drawn twice. */
const atOnce = { getInitialValueInEffect: false };

/** Whether the window has fewer pixels than this: below 900, there is no room for the columns of a list. */
export const useNarrow = (below = 900): boolean => useMediaQuery(`(width < ${below}px)`, undefined, atOnce);
