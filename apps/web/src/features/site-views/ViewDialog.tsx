import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import type { SiteView } from '@vigie/contracts/site-views';
import { useRef, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { CheckboxField } from '../../ui/CheckboxField';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { toast } from '../../ui/toasts';
import type { ViewContent } from './view-content';
import { siteViewsApi } from './site-views.api';

type Values = { name: string; isReplaced: boolean };

function useSave(view: SiteView | undefined, current: ViewContent) {
  const [create, creation] = siteViewsApi.useCreateSiteViewMutation();
  const [edit, edition] = siteViewsApi.useEditSiteViewMutation();
  const save = async ({ name, isReplaced }: Values) => {
    if (view) return edit({ id: view.id, name, ...(isReplaced && { shown: current }) });
    const body = { name, ...current };
    const created = await create(body);
    return created;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

type Props = { view: SiteView | undefined; current: ViewContent; onClose: () => void };

/** Edits the name of a view, and can replace its content by the current list. */
export function ViewDialog({ view, current, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState<Values>({ name: view?.name ?? '', isReplaced: false });
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { save, isSaving } = useSave(view, current);
  const submit = async () => {
    const name = values.name.trim();
    setMissing(name === '');
    setFailure(undefined);
    if (name === '') return field.current?.focus();
    if (isSaving) return;
    const { data, error } = await save({ ...values, name });
    if (!data) return setFailure(reportFailure(error, 'La vue n’a pas pu être enregistrée.'));
    toast.success(`Vue ${data.name} enregistrée.`);
    onClose();
  };
  return (
    <FormDialog title={view ? 'Modifier la vue' : 'Nouvelle vue'} onClose={onClose}>
      <DialogForm
        action="Enregistrer la vue"
        failure={failure}
        isSending={isSaving}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <p>Une vue garde la recherche, les filtres, l’ordre et les colonnes. Elle n’est visible que de vous.</p>
        <TextInput
          ref={field}
          data-autofocus
          label="Nom de la vue"
          maxLength={60}
          autoComplete="off"
          error={isMissing && 'Renseignez un nom.'}
          value={values.name}
          onChange={({ currentTarget: { value } }) => setValues({ ...values, name: value })}
        />
        {view && (
          <CheckboxField
            label="Remplacer son contenu par ce qui est affiché"
            isOn={values.isReplaced}
            onChange={(isReplaced) => setValues({ ...values, isReplaced })}
          />
        )}
      </DialogForm>
    </FormDialog>
  );
}
