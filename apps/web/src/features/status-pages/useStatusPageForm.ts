import type { Group } from '@vigie/contracts/groups';
import { saveStatusPage, type StatusPage } from '@vigie/contracts/status-pages';
import { useState } from 'react';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { toast } from '../../ui/toasts';
import { statusPagesApi } from './status-pages.api';

type Values = { title: string; shows_incidents: boolean };

const valuesOf = (group: Group, page: StatusPage | null): Values => ({
  title: page?.title ?? group.name,
  shows_incidents: page?.shows_incidents ?? true,
});

/** The form of a page, which is published or changed, and the secret of its address while it is known. */
export function useStatusPageForm(group: Group, page: StatusPage | null) {
  const [saveOne, saving] = statusPagesApi.useSaveStatusPageMutation();
  const [secret, setSecret] = useState<string>();
  const form = useDraftForm<Values>({
    name: `status page ${group.id}`,
    initial: valuesOf(group, page),
    validate: (values) => schemaErrors(saveStatusPage.input.omit({ id: true }), values),
  });
  const save = async (values: Values) => {
    const { data } = await saveOne({ id: group.id, ...values });
    if (!data) return;
    if (data.secret === null) toast.success('Page publique enregistrée.');
    else setSecret(data.secret);
  };
  return { form, call: saving, save: form.submit(save), secret, setSecret };
}

export type StatusPageForm = ReturnType<typeof useStatusPageForm>;
