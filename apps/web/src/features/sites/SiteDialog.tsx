import { Button } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { type FormEvent, useRef } from 'react';
import { failedBy } from '../../app/failed';
import dialog from '../../ui/DialogForm.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import { LeaveGuard } from '../../ui/LeaveGuard';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import styles from './SiteDialog.module.css';
import { SiteFields } from './SiteFields';
import { sitesApi } from './sites.api';
import { type Saved, useSiteForm } from './useSiteForm';
import type { Field } from './values';

type Props = { onSaved: (saved: Saved) => void; onClose: () => void };
type FormProps = Props & { site: Site | undefined; isClosedBy: (search: Record<string, unknown>) => boolean };

function Form({ site, isClosedBy, onSaved, onClose }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const focus = (field: Field) => element.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const form = useSiteForm(site, focus);
  const submit = async () => {
    const saved = await form.submit();
    if (!saved) return;
    toast.success(saved.isNew ? `Site ${saved.site.name} ajouté.` : `Site ${saved.site.name} enregistré.`);
    onSaved(saved);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <>
      <FormDialog title={site ? `Modifier ${site.name}` : 'Nouveau site'} onClose={onClose}>
        <form ref={element} noValidate onSubmit={send}>
          <div className={styles['content']}>
            <SiteFields form={form} />
          </div>
          <div className={dialog['foot']}>
            <Failure sentence={form.failure} />
            <div className={dialog['actions']}>
              <Button variant="default" onClick={onClose}>
                Annuler
              </Button>
              <Button type="submit" loading={form.isSaving}>
                {site ? 'Enregistrer' : 'Ajouter le site'}
              </Button>
            </div>
          </div>
        </form>
      </FormDialog>
      <LeaveGuard isDirty={form.isDirty} isClosedBy={isClosedBy} />
    </>
  );
}

/** The form of another site. */
export const AddSite = (props: Props) => (
  <Form site={undefined} isClosedBy={(search) => search['add'] !== true} {...props} />
);

/** The form of one site, which may not be among those that are shown. */
export function EditSite({ id, ...rest }: Props & { id: string }) {
  const { data, error, isFetching, refetch } = sitesApi.useSiteQuery(id, { refetchOnMountOrArgChange: true });
  const isClosedBy = (search: Record<string, unknown>) => search['edit'] !== id && search['edit'] !== true;
  if (data?.id === id) return <Form key={id} site={data} isClosedBy={isClosedBy} {...rest} />;
  const sentence = failedBy(error, 'Impossible de lire ce site.');
  return (
    <FormDialog title="Modifier le site" onClose={rest.onClose}>
      <div className={styles['content']}>
        {sentence === undefined ? (
          <Skeleton rows={5} height={64} />
        ) : (
          <Failure sentence={sentence}>
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              Réessayer
            </Button>
          </Failure>
        )}
      </div>
    </FormDialog>
  );
}
