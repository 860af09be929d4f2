import { Button } from '@mantine/core';
import { maxSiteViews, type SiteView } from '@vigie/contracts/site-views';
import { Bookmark, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { failedBy } from '../../app/failed';
import { Dropdown } from '../../ui/Dropdown';
import { Failure } from '../../ui/Failure';
import { IconButton } from '../../ui/IconButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteView } from './DeleteView';
import { isShown, type Shown } from './shown';
import styles from './SiteViews.module.css';
import { siteViewsApi } from './site-views.api';
import { ViewDialog } from './ViewDialog';

type Props = {
  /** What the list shows now. */
  shown: Shown;
  onShow: (shown: Shown) => void;
};

type Asked = { deed: 'add' } | { deed: 'edit' | 'delete'; view: SiteView };
type ListProps = Props & { views: readonly SiteView[]; close: () => void; onAsk: (asked: Asked) => void };

function Views({ views, shown, close, onShow, onAsk }: ListProps) {
  return (
    <ul aria-label="Vues enregistrées">
      {views.map((view) => (
        <li key={view.id} className={styles['view']}>
          <button
            type="button"
            aria-pressed={isShown(view, shown)}
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
            onClick={() => onAsk({ deed: 'edit', view })}
          />
          <IconButton
            icon={Trash2}
            label={`Supprimer la vue ${view.name}`}
            onClick={() => onAsk({ deed: 'delete', view })}
          />
        </li>
      ))}
    </ul>
  );
}

/** What somebody keeps of the list of sites, each under its name. */
export function SiteViews({ shown, onShow }: Props) {
  const { data, error, isFetching, refetch } = siteViewsApi.useSiteViewsQuery();
  const views = data ?? [];
  const [asked, setAsked] = useState<Asked>();
  const done = () => setAsked(undefined);
  const current = views.find((view) => isShown(view, shown));
  const failure = failedBy(error, 'Impossible de charger les vues.');
  return (
    <>
      <Dropdown label={current ? `Vue\u00a0: ${current.name}` : 'Vues'} icon={Bookmark}>
        {(close) => {
          const ask = (next: Asked) => {
            close();
            setAsked(next);
          };
          return (
            <div className={styles['views']}>
              <Failure sentence={failure}>
                <RetryButton isAsking={isFetching} onRetry={refetch} />
              </Failure>
              {!data && !failure && <Skeleton rows={2} />}
              {data?.length === 0 && !failure && <p className={styles['none']}>Aucune vue pour l’instant.</p>}
              <Views views={views} shown={shown} close={close} onShow={onShow} onAsk={ask} />
              {views.length < maxSiteViews && (
                <Button
                  variant="subtle"
                  leftSection={<Plus size={16} aria-hidden />}
                  onClick={() => ask({ deed: 'add' })}
                >
                  Enregistrer cette vue…
                </Button>
              )}
            </div>
          );
        }}
      </Dropdown>
      {asked?.deed === 'delete' && <DeleteView view={asked.view} onClose={done} />}
      {asked && asked.deed !== 'delete' && (
        <ViewDialog view={asked.deed === 'edit' ? asked.view : undefined} shown={shown} onClose={done} />
      )}
    </>
  );
}
