import { Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { createSiteView, type SiteView } from '@vigie/contracts/site-views';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { toast } from '../../ui/toasts';
import type { ViewContent } from './view-content';
import { siteViewsApi } from './site-views.api';

const ViewName = createSiteView.input.pick({ name: true });
type Values = { name: string; isReplaced: boolean };
type Props = { view: SiteView | undefined; current: ViewContent; onClose: () => void };

/** Edits the name of a view, and can replace its content by the current list. */
export function ViewDialog({ view, current, onClose }: Props) {
  const [create, creation] = siteViewsApi.useCreateSiteViewMutation();
  const [edit, edition] = siteViewsApi.useEditSiteViewMutation();
  const form = useDraftForm<Values>({
    name: `view ${view?.id ?? 'new'}`,
    initial: { name: view?.name ?? '', isReplaced: false },
    normalize: ({ name, ...rest }) => ({ ...rest, name: name.trim() }),
    validate: (values) => schemaErrors(ViewName, values),
  });
  const save = async ({ name, isReplaced }: Values) => {
    const { data } = await (view
      ? edit({ id: view.id, name, ...(isReplaced && { shown: current }) })
      : create({ name, ...current }));
    if (!data) return;
    toast.success(`Vue ${data.name} enregistrée.`);
    onClose();
  };
  return (
    <FormDialog title={view ? 'Modifier la vue' : 'Nouvelle vue'} onClose={onClose}>
      <DialogForm
        action="Enregistrer la vue"
        call={view ? edition : creation}
        onSubmit={form.submit(save)}
        onCancel={onClose}
      >
        <p>Une vue garde la recherche, les filtres, l’ordre et les colonnes. Elle n’est visible que de vous.</p>
        <TextInput data-autofocus label="Nom de la vue" maxLength={60} autoComplete="off" {...form.field('name')} />
        {view && (
          <Checkbox
            label="Remplacer son contenu par ce qui est affiché"
            checked={form.values.isReplaced}
            onChange={(event) => form.change({ isReplaced: event.currentTarget.checked })}
          />
        )}
      </DialogForm>
    </FormDialog>
  );
}
