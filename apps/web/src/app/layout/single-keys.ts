import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

/** Whether a letter alone does something: dictation types them by the dozen. */
export const singleKeys = createSignal(readLocal('single-keys') !== 'off');
singleKeys.subscribe(() => writeLocal('single-keys', singleKeys.get() ? null : 'off'));
