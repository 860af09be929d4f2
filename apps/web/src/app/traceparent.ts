const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Names one request, as W3C writes it: where traces are collected, all that is done for it is found under it. */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`;
