import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { SiteItem } from '@vigie/contracts/sites';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Show, showing } from '../../app/showing';
import frame from '../../ui/Page.module.css';
import { DeleteSite } from './DeleteSite';
import type { Acts } from './Selected';
import { AddSite, EditSite } from './SiteDialog';
import { SitePanel } from './SitePanel';
import { isKeyNext } from './SiteReport';
import { SitesList } from './SitesList';
import type { SitesSearch } from './search';
import type { Saved } from './useSiteForm';
import { useSiteTest } from './useSiteTest';

type Search = SitesSearch & { panel?: 'profile' | undefined };

/** What is shown follows the address. A panel that opens is a step back; a filter and a form are none. */
function useShow(): Show<SitesSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/sites', ...showing<SitesSearch>(change, options) });
}

type Props = Acts & {
  search: Search;
  /** What somebody keeps of the list. */
  views: ReactNode;
  /** Another one each time that something was done to many of them. */
  round: number;
};

export function SitesPage({ search, ...rest }: Props) {
  const show = useShow();
  const { open, edit, add, panel } = search;
  const diagnosis = useSiteTest(search, (test) => show({ test }));
  const [deleting, setDeleting] = useState<SiteItem>();
  const deeds = {
    test: ({ id }: SiteItem) => {
      show({ open: id, test: undefined }, { isStep: open === undefined });
      diagnosis.run(id);
    },
    edit: ({ id }: SiteItem) => show({ edit: id }),
    remove: setDeleting,
  };
  const afterSave = ({ site, isNew }: Saved) => {
    const isWaiting = isKeyNext(site);
    const shown = isNew ? { open: site.id, test: undefined } : {};
    show({ add: undefined, edit: undefined, ...shown }, { isSaved: true });
    // Without a key that is let in nothing can be tested yet: the panel shows what to do first.
    if (isNew && !isWaiting) diagnosis.run(site.id);
  };
  return (
    <div className={frame['page']}>
      <header className={frame['head']}>
        <div>
          <h1>Sites</h1>
          <p className={frame['lead']}>Vos sites WordPress, leur état et ce qui attend une mise à jour.</p>
        </div>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
          Nouveau site
        </Button>
      </header>
      <SitesList {...rest} search={search} deeds={deeds} onChange={show} onAdd={() => show({ add: true })} />
      {/* The profile takes its place while it is open. */}
      {open !== undefined && panel === undefined && (
        <SitePanel
          key={open}
          id={open}
          diagnosis={diagnosis}
          onClose={() => show({ open: undefined, test: undefined })}
        />
      )}
      {add && <AddSite onSaved={afterSave} onClose={() => show({ add: undefined })} />}
      {!add && edit !== undefined && (
        <EditSite key={edit} id={edit} onSaved={afterSave} onClose={() => show({ edit: undefined })} />
      )}
      {deleting && (
        <DeleteSite
          site={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (open === deleting.id) show({ open: undefined, test: undefined });
          }}
        />
      )}
    </div>
  );
}
