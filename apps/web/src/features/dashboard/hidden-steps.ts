import { readLocal, writeLocal } from '../../ui/storage';

/** Another user of this browser still sees the steps that this one hid. */
const keyOf = (userId: string | undefined) => `first_steps_${userId}`;

export const areStepsHidden = (userId: string | undefined): boolean => readLocal(keyOf(userId)) === 'away';
export const hideSteps = (userId: string | undefined): void => writeLocal(keyOf(userId), 'away');
