import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site, SiteExtension } from '@vigie/contracts/sites';
import type { Upload } from '@vigie/contracts/uploads';
import { CloudOff, Package } from 'lucide-react';
import { type ComponentProps, type FormEvent, useRef, useState } from 'react';
import { useUploads } from '../../app/uploads';
import dialog from '../../ui/DialogForm.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { FormDialog } from '../../ui/FormDialog';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { useSettled } from '../../ui/useSettled';
import { installOrder, type Order } from './orders';
import styles from './Plan.module.css';
import { ActivateField, UploadChoice } from './UploadChoice';
import { useAsked } from './useAsked';
import { refusalOf } from './words';

type Props = {
  site: Site;
  /** The item to replace; without one, any archive can be chosen. */
  one: SiteExtension | undefined;
  /** Resolves to the reason when the server refuses. */
  onInstall: (order: Order) => Promise<string | undefined>;
  onClose: () => void;
};

const size = 50;

/** The uploads that match the search and, if given, the item to replace. */
function useFitting(one: SiteExtension | undefined, q: string) {
  const fitting = one && { type: one.type, slug: one.slug };
  return useUploads({ ...fitting, q: useSettled(q), limit: size });
}

function Nothing({ one }: Pick<Props, 'one'>) {
  return (
    <EmptyState
      icon={Package}
      title={one ? `Aucune archive de ${one.name} parmi les uploads.` : 'Aucune archive pour l’instant.'}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/uploads" search={one?.type === 'theme' ? { type: 'theme' } : {}} />
          )}
        >
          Téléverser une archive
        </Button>
      }
    />
  );
}

const whatIsThere = ({ version, status }: SiteExtension) =>
  `Sur le site\u00a0: version ${version ?? 'inconnue'}, ${status === 'active' ? 'active' : 'inactive'}.`;

type FormProps = Omit<Props, 'site'> &
  Pick<ComponentProps<typeof UploadChoice>, 'uploads' | 'total' | 'q' | 'onSearch'>;

function Form({ one, onInstall, onClose, ...listed }: FormProps) {
  const [chosen, setChosen] = useState<Upload>();
  const [activate, setActivate] = useState(false);
  const [error, setError] = useState<string>();
  const { isBusy: isSending, failure, run } = useAsked(onClose);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!chosen) {
      setError(one ? 'Veuillez sélectionner un fichier uploadé.' : 'Choisissez un fichier.');
      form.current?.querySelector<HTMLElement>('input')?.focus();
      return;
    }
    if (!isSending) run(() => onInstall(installOrder(chosen, activate)));
  };
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <div className={dialog['content']}>
        {one && <p>{whatIsThere(one)}</p>}
        <UploadChoice
          {...listed}
          value={chosen?.id}
          error={error}
          onChange={(upload) => {
            setChosen(upload);
            setError(undefined);
          }}
        />
        <ActivateField value={activate} onChange={setActivate} />
        <p className={styles['more']}>
          Ce qui porte déjà ce nom sur le site est mis de côté avant, et revient si le site va moins bien après.
        </p>
      </div>
      <div className={dialog['foot']}>
        {failure !== undefined && <Failure sentence={failure} />}
        <div className={dialog['actions']}>
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" loading={isSending}>
            Installer
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Installs an uploaded archive on one site. */
export function InstallDialog({ site, one, onInstall, onClose }: Props) {
  const [q, setQuery] = useState('');
  const { data, error, isFetching, refetch } = useFitting(one, q);
  const isNone = data?.total === 0 && q === '' && !isFetching;
  const title = one ? `Installer ${one.name} depuis les uploads` : `Installer sur ${site.name} depuis les uploads`;
  return (
    <FormDialog title={title} onClose={onClose}>
      {data === undefined && !error && <Skeleton rows={4} />}
      {data === undefined && error !== undefined && (
        <EmptyState
          icon={CloudOff}
          role="alert"
          title={refusalOf(error, 'Impossible de charger les archives.')}
          actions={<RetryButton isAsking={isFetching} onRetry={refetch} />}
        />
      )}
      {isNone && <Nothing one={one} />}
      {data !== undefined && !isNone && (
        <Form {...{ one, q, onInstall, onClose }} uploads={data.items} total={data.total} onSearch={setQuery} />
      )}
    </FormDialog>
  );
}
