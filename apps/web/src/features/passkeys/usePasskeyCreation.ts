import { createPasskey, offerPasskey, type PasskeyCreationOptions } from '@vigie/contracts/passkeys';
import { useEffect, useRef, useState } from 'react';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { askForNewPasskey, isStillGood, prepareToAsk } from '../../kit/passkeys/ask';
import { isOutcomeUnknown } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';
import { passkeysApi } from './passkeys.api';

const NewPasskey = createPasskey.input.pick({ name: true }).extend(offerPasskey.input.shape);

const initial = { name: '', password: '' };
type Values = typeof initial;

type Offer = { options: PasskeyCreationOptions; receivedAt: number };
type Stage =
  | { name: 'password'; failure?: string | undefined }
  | { name: 'ready' | 'asking'; offer: Offer; note?: string | undefined }
  /** The passkey exists, and its recovery codes come with the answer. */
  | { name: 'saving' }
  /** The answer got lost, so that the passkey may be stored. */
  | { name: 'unknown' };

const tooLate: Stage = { name: 'password', failure: 'La demande a expiré\u00a0: continuez pour en faire une autre.' };

const readyWith = (options: PasskeyCreationOptions): Stage => ({
  name: 'ready',
  offer: { options, receivedAt: Date.now() },
});

const useNewPasskeyForm = () =>
  useDraftForm<Values>({
    name: 'passkey',
    checksOnLeave: 'filled',
    initial,
    secrets: { password: '' },
    normalize: ({ name, ...rest }) => ({ ...rest, name: name.trim() }),
    validate: (values) => schemaErrors(NewPasskey, values),
  });

/**
 * The form of a new passkey, in two steps: the password, then the dialog of the browser, which must follow a tap. `onCreated`
 * gets the recovery codes, of which there are none beside another second factor.
 */
export function usePasskeyCreation(onCreated: (name: string, codes: readonly string[]) => void) {
  const [offer, offering] = passkeysApi.useOfferPasskeyMutation();
  const [create] = passkeysApi.useCreatePasskeyMutation();
  const [stage, setStage] = useState<Stage>({ name: 'password' });
  const attempt = useRef<AbortController>(undefined);
  useEffect(() => {
    prepareToAsk();
    // The dialog of the browser must not outlive this one.
    return () => attempt.current?.abort();
  }, []);
  const form = useNewPasskeyForm();
  const { name } = form.values;

  const confirm = form.submit(async ({ password }) => {
    setStage({ name: 'password' });
    const { data, error } = await offer({ password });
    if (data) setStage(readyWith(data));
    else setStage({ name: 'password', failure: sentenceOf(error) });
  });
  const make = async (offered: Offer): Promise<void> => {
    const { options, receivedAt } = offered;
    if (!isStillGood(options, receivedAt)) return setStage(tooLate);
    setStage({ name: 'asking', offer: offered });
    const { signal } = (attempt.current = new AbortController());
    const answer = await askForNewPasskey(options, signal);
    if (signal.aborted) return;
    if ('sentence' in answer) return setStage({ name: 'ready', offer: offered, note: answer.sentence });
    setStage({ name: 'saving' });
    const { data, error } = await create({ name, response: answer.response });
    if (data) return onCreated(name, data.backup_codes);
    setStage(isOutcomeUnknown(error) ? { name: 'unknown' } : { name: 'password', failure: sentenceOf(error) });
  };
  return { form, stage, isConfirming: offering.isLoading, confirm: () => confirm(), make };
}

export type PasskeyCreationSteps = ReturnType<typeof usePasskeyCreation>;
