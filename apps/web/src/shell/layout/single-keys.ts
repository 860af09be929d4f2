import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

/** Single-letter shortcuts can be turned off, because voice dictation types many letters. */
export const singleKeys = createSignal(readLocal('single-keys') !== 'off');
singleKeys.subscribe(() => writeLocal('single-keys', singleKeys.get() ? null : 'off'));
