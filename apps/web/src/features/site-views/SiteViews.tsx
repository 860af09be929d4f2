import { Button, Group, Stack, Text } from '@mantine/core';
import { maxSiteViews, type SiteView } from '@vigie/contracts/site-views';
import { Bookmark, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { Dropdown } from '../../ui/Dropdown';
import { Failure } from '../../ui/Failure';
import { IconButton } from '../../ui/IconButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { matchesView, type ViewContent } from './view-content';
import { siteViewsApi } from './site-views.api';
import styles from './site-views.module.css';
import { ViewDialog } from './ViewDialog';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { toast } from '../../ui/toasts';

type DeleteViewProps = { view: SiteView; onClose: () => void };

function DeleteView({ view: { id, name }, onClose }: DeleteViewProps) {
  const [remove, call] = siteViewsApi.useDeleteSiteViewMutation();
  const confirm = async () => {
    const { error } = await remove({ id });
    if (error) return;
    toast.success(`Vue ${name} supprimée.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Supprimer la vue ${name}\u202f?`}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Sa recherche, ses filtres et ses colonnes sont oubliés. Aucun site n’est touché.</p>
    </ConfirmDialog>
  );
}

type Props = {
  /** The current filters, order and columns of the list. */
  current: ViewContent;
  onShow: (current: ViewContent) => void;
};

type OpenDialog = { action: 'add' } | { action: 'edit' | 'delete'; view: SiteView };
type ListProps = Props & {
  views: readonly SiteView[];
  close: () => void;
  onOpenDialog: (openDialog: OpenDialog) => void;
};

function ViewsList({ views, current, close, onShow, onOpenDialog }: ListProps) {
  return (
    <ul aria-label="Vues enregistrées">
      {views.map((view) => (
        <Group component="li" key={view.id} gap={0} wrap="nowrap">
          <button
            type="button"
            aria-pressed={matchesView(view, current)}
            className={styles['name']}
            onClick={() => {
              close();
              onShow(view);
            }}
          >
            {view.name}
          </button>
          <IconButton
            icon={Pencil}
            label={`Modifier la vue ${view.name}`}
            onClick={() => onOpenDialog({ action: 'edit', view })}
          />
          <IconButton
            icon={Trash2}
            label={`Supprimer la vue ${view.name}`}
            onClick={() => onOpenDialog({ action: 'delete', view })}
          />
        </Group>
      ))}
    </ul>
  );
}

/** The saved views of the list of sites. */
export function SiteViews({ current, onShow }: Props) {
  const answer = siteViewsApi.useSiteViewsQuery();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const closeDialog = () => setOpenDialog(undefined);
  const activeView = answer.data?.find((view) => matchesView(view, current));
  return (
    <>
      <Dropdown label={activeView ? `Vue\u00a0: ${activeView.name}` : 'Vues'} icon={Bookmark}>
        {(close) => <Menu {...{ answer, current, close, onShow }} onOpenDialog={setOpenDialog} />}
      </Dropdown>
      {openDialog?.action === 'delete' && <DeleteView view={openDialog.view} onClose={closeDialog} />}
      {openDialog && openDialog.action !== 'delete' && (
        <ViewDialog
          view={openDialog.action === 'edit' ? openDialog.view : undefined}
          current={current}
          onClose={closeDialog}
        />
      )}
    </>
  );
}

type MenuProps = Omit<ListProps, 'views'> & { answer: ReturnType<typeof siteViewsApi.useSiteViewsQuery> };

function Menu({ answer, current, close, onShow, onOpenDialog }: MenuProps) {
  const { data, error, isFetching, refetch } = answer;
  const views = data ?? [];
  const failure = failureMessage(error, 'Impossible de charger les vues.');
  const open = (next: OpenDialog) => {
    close();
    onOpenDialog(next);
  };
  return (
    <Stack gap={4}>
      <Failure sentence={failure}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Failure>
      {!data && !failure && <Skeleton rows={2} />}
      {data?.length === 0 && !failure && (
        <Text p="6px 8px" c="muted">
          Aucune vue pour l’instant.
        </Text>
      )}
      <ViewsList views={views} current={current} close={close} onShow={onShow} onOpenDialog={open} />
      {views.length < maxSiteViews && (
        <Button variant="subtle" leftSection={<Plus size={16} aria-hidden />} onClick={() => open({ action: 'add' })}>
          Enregistrer cette vue…
        </Button>
      )}
    </Stack>
  );
}
