import type { SiteZone } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { sentenceOf } from '../../kit/query/failures';
import { toast } from '../../ui/toasts';
import { zonesApi } from './zones.api';

type Pair = { site: { id: string; name: string }; zone: Pick<DnsZone, 'id' | 'display_name'> };

/** Links and unlinks sites and zones inside Vigie; Cloudflare is not involved. */
export function useLinking() {
  const [linkZone, linking] = zonesApi.useLinkZoneMutation();
  const [unlinkZone, unlinking] = zonesApi.useUnlinkZoneMutation();
  const link = async ({ site, zone }: Pair, autoSync?: boolean): Promise<boolean> => {
    unlinking.reset();
    const { error } = await linkZone({
      zone_id: zone.id,
      site_id: site.id,
      ...(autoSync !== undefined && { auto_sync: autoSync }),
    });
    if (!error) toast.success(`${site.name} est lié à ${zone.display_name}.`);
    return !error;
  };
  const unlink = async ({ site_id: siteId, site_name: siteName, zone_mappings: mappings }: SiteZone): Promise<void> => {
    linking.reset();
    const { error } = await unlinkZone({ site_id: siteId });
    if (error) return;
    const name = siteName ?? 'Le site';
    const undo = () => {
      for (const { zone_id: zoneId, zone_name: zoneName, auto_sync: autoSync } of mappings)
        void link({ site: { id: siteId, name }, zone: { id: zoneId, display_name: zoneName } }, autoSync);
    };
    toast.success(`${name} n’est plus lié à ${mappings.map(({ zone_name: zoneName }) => zoneName).join(', ')}.`, undo);
  };
  const busyCall = [linking, unlinking].find(({ isLoading }) => isLoading);
  return {
    busySiteId: busyCall?.originalArgs?.site_id,
    failure: sentenceOf(linking.error ?? unlinking.error),
    link,
    unlink,
  };
}

export type Linking = ReturnType<typeof useLinking>;
