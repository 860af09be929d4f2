import { randomHex } from '../ui/hex';

/** Names one request, as W3C writes it: where traces are collected, all that is done for it is found under it. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
