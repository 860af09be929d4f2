import { randomHex } from '../../ui/hex';

/** The W3C `traceparent` header of one request. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
