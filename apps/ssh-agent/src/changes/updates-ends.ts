import { changeCodes } from '@vigie/contracts/change-codes';
import type { JobError } from '@vigie/contracts/jobs';
import { ChangeDone, type ChangeEnd } from '@vigie/wordpress/change';
import type { UpdatesReader } from '@vigie/wordpress/updates';
import { retryRemedy } from './sentences';
import type { UpdateEnd, UpdatesCheckpoint } from './updates-checkpoint';

/** The ends of the items that the operation left whole, whether they were updated or refused. */
export function endsOf({ ends }: UpdatesReader): UpdatesCheckpoint['ends'] {
  return Object.fromEntries(
    [...ends].flatMap(([job, end]): [string, UpdateEnd][] => {
      if (end.is === 'done') return [[job, ChangeDone.parse(end)]];
      return isUntouched(end) ? [[job, { is: 'refused', error: shortErrorOf(end) }]] : [];
    }),
  );
}

/** Why an item cannot stay as the operation left it. */
export function failureOf({ ends }: UpdatesReader): string | undefined {
  for (const end of ends.values()) if (end.is === 'failed' && !isUntouched(end)) return end.message;
  return undefined;
}

const isUntouched = (end: Exclude<ChangeEnd, ChangeDone>) => end.is === 'refused' || !end.touched;

/** The rollback itself was killed each time. */
export const interrupted = {
  is: 'failed',
  code: changeCodes.interrupted,
  remedy: retryRemedy,
  rollbackCopy: null,
  touched: true,
  messages: [],
} as const satisfies Partial<ChangeEnd>;

/** Short enough for the errors of all items to fit in one checkpoint. */
const maxSentence = 300;

export const errorOfEnd = ({ message, remedy, code }: Exclude<ChangeEnd, ChangeDone>): JobError => ({
  message,
  remedy,
  code,
});

const shortErrorOf = ({ message, remedy, code }: Exclude<ChangeEnd, ChangeDone>): JobError => ({
  message: message.slice(0, maxSentence),
  remedy: remedy.slice(0, maxSentence),
  code,
});
