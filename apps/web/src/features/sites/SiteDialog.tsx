import type { Site } from '@vigie/contracts/sites';
import { failureMessage } from '../../kit/query/failures';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { DialogLoading, FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { toast } from '../../ui/toasts';
import { useReturnFocus } from '../../ui/focus';
import { SiteFields } from './SiteFields';
import { sitesApi } from './sites.api';
import styles from './sites.module.css';
import { type Saved, useSiteForm } from './useSiteForm';

type Props = { onSaved: (saved: Saved) => void; onClose: () => void };
type FormProps = Props & { site: Site | undefined; isClosedBy: (search: Record<string, unknown>) => boolean };

function Form({ site, isClosedBy, onSaved, onClose }: FormProps) {
  const form = useSiteForm(site, (saved) => {
    toast.success(saved.isNew ? `Site ${saved.site.name} ajouté.` : `Site ${saved.site.name} enregistré.`);
    onSaved(saved);
  });
  return (
    <>
      <FormDialog title={site ? `Modifier ${site.name}` : 'Nouveau site'} onClose={onClose}>
        <DialogForm
          className={styles['form']}
          action={site ? 'Enregistrer' : 'Ajouter le site'}
          call={form.call}
          failure={form.errors.form}
          onSubmit={form.save}
          onCancel={onClose}
        >
          <SiteFields owner={site?.owner_id} form={form} />
        </DialogForm>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy} />
    </>
  );
}

export const AddSite = (props: Props) => (
  <Form site={undefined} isClosedBy={(search) => search['add'] !== true} {...props} />
);

/** Loads the site itself: the list may not have it. */
export function EditSite({ id, ...rest }: Props & { id: string }) {
  const answer = sitesApi.useSiteQuery({ id }, { refetchOnMountOrArgChange: true });
  const { data, error } = answer;
  // The form replaces the waiting dialog: only this component knows where the focus came from.
  useReturnFocus();
  const isClosedBy = (search: Record<string, unknown>) => search['edit'] !== id && search['edit'] !== true;
  if (data?.id === id) return <Form key={id} site={data} isClosedBy={isClosedBy} {...rest} />;
  const sentence = failureMessage(error, 'Impossible de lire ce site.');
  return <DialogLoading title="Modifier le site" answer={answer} failure={sentence} onClose={rest.onClose} />;
}
