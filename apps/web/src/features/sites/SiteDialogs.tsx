import { editSite, type Site, type SiteItem } from '@vigie/contracts/sites';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { DialogLoading, FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { allows, isOwn } from '../../kit/fleet/roles';
import { failureMessage } from '../../kit/query/failures';
import { useReturnFocus } from '../../ui/focus';
import { toast } from '../../ui/toasts';
import { SharedSiteFields, SiteFields } from './SiteFields';
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
          {site && !isOwn(site) ? <SharedSiteFields form={form} /> : <SiteFields owner={site?.owner_id} form={form} />}
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
  if (data && !allows(data, editSite)) return null;
  if (data?.id === id) return <Form key={id} site={data} isClosedBy={isClosedBy} {...rest} />;
  const sentence = failureMessage(error, 'Impossible de lire ce site.');
  return <DialogLoading title="Modifier le site" answer={answer} failure={sentence} onClose={rest.onClose} />;
}

type DeleteSiteProps = {
  site: Pick<SiteItem, 'id' | 'name' | 'url' | 'connection'>;
  onDeleted: () => void;
  onClose: () => void;
};

/** Names what Vigie forgets and what stays on the host. */
export function DeleteSite({ site: { id, name, url, connection }, onDeleted, onClose }: DeleteSiteProps) {
  const [deleteSite, call] = sitesApi.useDeleteSiteMutation();
  const hasSecret = connection.ssh.has_password || connection.ssh.has_key;
  const confirm = async () => {
    const { error } = await deleteSite({ id });
    if (error) return;
    toast.success(`Site ${name} supprimé.`);
    onDeleted();
  };
  return (
    <ConfirmDialog
      title={`Supprimer le site ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{`Vigie oubliera ${url}\u00a0: son inventaire${hasSecret ? ', ses secrets de connexion' : ''} et ses relevés.`}</p>
      <p>Aucun fichier n’est touché sur l’hôte. Le site reste en ligne.</p>
    </ConfirmDialog>
  );
}
