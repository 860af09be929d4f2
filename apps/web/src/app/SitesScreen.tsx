import { type ComponentProps, useState } from 'react';
import { UpdateSites } from '../features/changes/UpdateSites';
import { SitesPage } from '../features/sites/Page';

/** The sites, and the updates of several of them at once. */
export function SitesScreen({ search }: Pick<ComponentProps<typeof SitesPage>, 'search'>) {
  const [updating, setUpdating] = useState<readonly string[]>();
  return (
    <>
      <SitesPage search={search} onUpdate={setUpdating} />
      {updating && <UpdateSites sites={updating} onClose={() => setUpdating(undefined)} />}
    </>
  );
}
