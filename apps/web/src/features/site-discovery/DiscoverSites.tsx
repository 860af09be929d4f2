import { ChooseServer } from './ChooseServer';
import { DiscoveryDialog } from './DiscoveryDialog';
import type { DiscoverySearch } from './search';

type Props = { search: DiscoverySearch; onChange: (change: Partial<DiscoverySearch>) => void };

/** Finds sites to import, on a server that is named in the address or chosen first. */
export function DiscoverSites({ search: { find, discover, found }, onChange }: Props) {
  const close = () => onChange({ find: undefined, discover: undefined, found: undefined });
  if (discover !== undefined)
    return (
      <DiscoveryDialog
        key={discover}
        serverId={discover}
        jobId={found}
        onFollow={(jobId) => onChange({ found: jobId })}
        onClose={close}
      />
    );
  return find && <ChooseServer onChoose={(id) => onChange({ find: undefined, discover: id })} onClose={close} />;
}
