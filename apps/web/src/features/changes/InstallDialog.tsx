import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site, SiteExtension } from '@vigie/contracts/sites';
import type { Upload } from '@vigie/contracts/uploads';
import { Package } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import { useUploads } from '../../kit/fleet/uploads';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { ReadFailed } from '../../ui/ReadFailed';
import { EmptyState } from '../../ui/EmptyState';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { Skeleton } from '../../ui/Skeleton';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { installRequest, type ChangeRequest } from './change-requests';
import { ActivateField, UploadChoice } from './UploadChoice';
import { useSubmit } from './useSiteChanges';
import { failureReason } from '../../kit/query/failures';

type Props = {
  site: Site;
  /** The item to replace; without one, any archive can be chosen. */
  item: SiteExtension | undefined;
  /** Resolves to the error when the server refuses. */
  onInstall: (request: ChangeRequest) => Promise<unknown>;
  onClose: () => void;
};

const size = 50;

/** The uploads that match the search and, if given, the item to replace. */
function useMatchingUploads(item: SiteExtension | undefined, q: string) {
  const target = item && { type: item.type, slug: item.slug };
  return useUploads({ ...target, q: useDebouncedSearch(q), limit: size });
}

function NoUploads({ item }: Pick<Props, 'item'>) {
  return (
    <EmptyState
      icon={Package}
      title={item ? `Aucune archive de ${item.name} parmi les uploads.` : 'Aucune archive pour l’instant.'}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/uploads" search={item?.type === 'theme' ? { type: 'theme' } : {}} />
          )}
        >
          Téléverser une archive
        </Button>
      }
    />
  );
}

const currentVersionText = ({ version, status }: SiteExtension) =>
  `Sur le site\u00a0: version ${version ?? 'inconnue'}, ${status === 'active' ? 'active' : 'inactive'}.`;

type FormProps = Omit<Props, 'site'> &
  Pick<ComponentProps<typeof UploadChoice>, 'uploads' | 'total' | 'q' | 'onSearch'>;

function Form({ item, onInstall, onClose, ...listed }: FormProps) {
  const [chosen, setChosen] = useState<Upload>();
  const [activate, setActivate] = useState(false);
  const [error, setError] = useState<string>();
  const { call, run } = useSubmit(onClose);
  const form = useRef<HTMLFormElement>(null);
  const submit = () => {
    if (chosen) run(() => onInstall(installRequest(chosen, activate)));
    else {
      setError(item ? 'Veuillez sélectionner un fichier uploadé.' : 'Choisissez un fichier.');
      form.current?.querySelector<HTMLElement>('input')?.focus();
    }
  };
  return (
    <DialogForm ref={form} action="Installer" call={call} onSubmit={submit} onCancel={onClose}>
      {item && <p>{currentVersionText(item)}</p>}
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
      <Text variant="hint">
        Une version déjà présente est d’abord copiée. Vigie la restaure si le site va moins bien après.
      </Text>
    </DialogForm>
  );
}

/** Installs an uploaded archive on one site. */
export function InstallDialog({ site, item, onInstall, onClose }: Props) {
  const [q, setQuery] = useState('');
  const { data, error, isFetching, refetch } = useMatchingUploads(item, q);
  const isNone = data?.total === 0 && q === '' && !isFetching;
  const title = item ? `Installer ${item.name} depuis les uploads` : `Installer sur ${site.name} depuis les uploads`;
  return (
    <FormDialog title={title} onClose={onClose}>
      {data === undefined && !error && <Skeleton rows={4} />}
      {data === undefined && error !== undefined && (
        <ReadFailed
          sentence={failureReason(error, 'Impossible de charger les archives.')}
          isBusy={isFetching}
          onRetry={refetch}
        />
      )}
      {isNone && <NoUploads item={item} />}
      {data !== undefined && !isNone && (
        <Form {...{ item, q, onInstall, onClose }} uploads={data.items} total={data.total} onSearch={setQuery} />
      )}
    </FormDialog>
  );
}
