import { Button } from '@mantine/core';
import { maxSiteViews, type SiteView } from '@vigie/contracts/site-views';
import { Bookmark, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { Dropdown } from '../../ui/Dropdown';
import { Failure } from '../../ui/Failure';
import { IconButton } from '../../ui/IconButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteView } from './DeleteView';
import { matchesView, type ViewContent } from './view-content';
import styles from './SiteViews.module.css';
import { siteViewsApi } from './site-views.api';
import { ViewDialog } from './ViewDialog';

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
        <li key={view.id} className={styles['view']}>
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
        </li>
      ))}
    </ul>
  );
}

/** The saved views of the list of sites. */
export function SiteViews({ current, onShow }: Props) {
  const { data, error, isFetching, refetch } = siteViewsApi.useSiteViewsQuery();
  const views = data ?? [];
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const closeDialog = () => setOpenDialog(undefined);
  const activeView = views.find((view) => matchesView(view, current));
  const failure = failureMessage(error, 'Impossible de charger les vues.');
  return (
    <>
      <Dropdown label={activeView ? `Vue\u00a0: ${activeView.name}` : 'Vues'} icon={Bookmark}>
        {(close) => {
          const open = (next: OpenDialog) => {
            close();
            setOpenDialog(next);
          };
          return (
            <div className={styles['views']}>
              <Failure sentence={failure}>
                <RetryButton isBusy={isFetching} onRetry={refetch} />
              </Failure>
              {!data && !failure && <Skeleton rows={2} />}
              {data?.length === 0 && !failure && <p className={styles['none']}>Aucune vue pour l’instant.</p>}
              <ViewsList views={views} current={current} close={close} onShow={onShow} onOpenDialog={open} />
              {views.length < maxSiteViews && (
                <Button
                  variant="subtle"
                  leftSection={<Plus size={16} aria-hidden />}
                  onClick={() => open({ action: 'add' })}
                >
                  Enregistrer cette vue…
                </Button>
              )}
            </div>
          );
        }}
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
