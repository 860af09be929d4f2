import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { BackupsSection } from '../../features/backups/BackupsSection';
import type { ArchiveSearch } from '../../features/backups/search';
import { CoreChanges } from '../../features/changes/CoreChanges';
import { Extensions } from '../../features/changes/Extensions';
import type { ItemsSearch } from '../../features/changes/search';
import { SitePage } from '../../features/sites/SitePage';
import { changeSearch } from '../../kit/list/search-params';

function SiteItems(props: ComponentProps<typeof CoreChanges>) {
  const { q, type: kind, updates }: ItemsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (change: Partial<ItemsSearch>) =>
    void navigate({ to: '/sites/$siteId', params: { siteId: props.site.id }, ...changeSearch(change) });
  return <Extensions {...props} search={{ q, type: kind, updates }} onChange={show} />;
}

function SiteBackups({ site }: Pick<ComponentProps<typeof CoreChanges>, 'site'>) {
  const navigate = useNavigate();
  const open = (archive: string) =>
    void navigate({
      to: '/sites/$siteId',
      params: { siteId: site.id },
      ...changeSearch<ArchiveSearch>({ archive }, { isStep: true }),
    });
  return <BackupsSection key={site.id} site={site} onOpen={open} />;
}

const parts = { Core: CoreChanges, Extensions: SiteItems, Backups: SiteBackups };

export const SiteScreen = ({ id, search }: Pick<ComponentProps<typeof SitePage>, 'id' | 'search'>) => (
  <SitePage id={id} search={search} parts={parts} />
);
