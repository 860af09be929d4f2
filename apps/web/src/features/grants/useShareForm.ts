import type { GrantRole } from '@vigie/contracts/grant-roles';
import { findPerson } from '@vigie/contracts/users';
import { useOtherUsers } from '../../kit/fleet/people';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { grantRoleLabel } from '../../kit/words/grant-roles';
import { toast } from '../../ui/toasts';
import { grantsApi, type Target, targetFields } from './grants.api';

type Kind = 'person' | 'team';
type Values = { kind: Kind; userId: string; email: string; teamId: string; role: GrantRole };

const blank: Values = { kind: 'person', userId: '', email: '', teamId: '', role: 'viewer' };

/** An administrator chooses among all users; others type an address, which nobody but the server knows to be right. */
function checkShare(values: Values, isListed: boolean): FormErrors<Values> {
  if (values.kind === 'team') return values.teamId === '' ? { teamId: 'Choisissez une équipe.' } : {};
  if (isListed) return values.userId === '' ? { userId: 'Choisissez une personne.' } : {};
  return schemaErrors<Values>(findPerson.input, values);
}

/** Shares a site or group with one more person or team. */
export function useShareForm(target: Target) {
  const people = useOtherUsers();
  const { isListed } = people;
  const [find, search] = grantsApi.useFindPersonMutation();
  const [create, creation] = grantsApi.useCreateGrantMutation();
  const form = useDraftForm<Values>({
    name: `share ${target.id}`,
    initial: blank,
    validate: (values) => checkShare(values, isListed),
    normalize: ({ email, ...rest }) => ({ ...rest, email: email.trim() }),
    isChanged: ({ userId, email, teamId }) => [userId, email, teamId].some((value) => value !== ''),
  });
  const findId = async (email: string) => {
    const { data, error } = await find({ email });
    if (data) return data.id;
    form.refuse('email', sentenceOf(error));
    form.focus('email');
    return undefined;
  };
  const save = async ({ kind, userId, email, teamId, role }: Values) => {
    if (search.isLoading || creation.isLoading) return;
    const id = kind === 'team' ? teamId : isListed ? userId : await findId(email);
    if (id === undefined) return;
    const who = kind === 'team' ? { team_id: id } : { user_id: id };
    const { data } = await create({ ...targetFields(target), ...who, role });
    if (!data) return;
    toast.success(`${target.name} est partagé avec ${data.name} (${grantRoleLabel(data.role)}).`);
    form.reset();
  };
  const isSending = search.isLoading || creation.isLoading;
  return { form, people, save: form.submit(save), failure: sentenceOf(creation.error), isSending };
}
