import { randomInt } from 'node:crypto';

/**
 * An address that no other test uses. Limits are counted per address, and the processes of a shared product keep their
 * counts for the next test file.
 */
export const unusedAddress = (): string => `10.${200 + randomInt(56)}.${randomInt(256)}.${1 + randomInt(254)}`;
