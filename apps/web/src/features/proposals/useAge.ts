import { useNow } from '../../ui/useNow';

const tickMs = 10_000;

/** The milliseconds since an answer was read. Only a span of the browser's clock counts, which may be wrong itself. */
export const useAge = (readAt: number): number => Math.max(0, useNow(tickMs).getTime() - readAt);
