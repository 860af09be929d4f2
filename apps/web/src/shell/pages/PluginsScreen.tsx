import { type ComponentProps, useState } from 'react';
import { UpdateOne } from '../../features/changes/UpdateOne';
import { UpdatePlugin } from '../../features/changes/UpdateDialogs';
import { PluginsPage } from '../../features/plugins/Page';

type Page = ComponentProps<typeof PluginsPage>;

/** The plugins of all sites, and their updates. */
export function PluginsScreen({ search }: Pick<Page, 'search'>) {
  const [updating, setUpdating] = useState<Parameters<Page['onUpdateEverywhere']>[0]>();
  return (
    <>
      <PluginsPage search={search} Update={UpdateOne} onUpdateEverywhere={setUpdating} />
      {updating && (
        <UpdatePlugin
          plugin={updating}
          siteIds={updating.siteIds}
          leftOut={updating.leftOut}
          onClose={() => setUpdating(undefined)}
        />
      )}
    </>
  );
}
