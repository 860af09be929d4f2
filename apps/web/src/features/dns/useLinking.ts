import type { SiteZone } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { toast } from '../../ui/toasts';
import { zonesApi } from './zones.api';

type Pair = { site: { id: string; name: string }; zone: Pick<DnsZone, 'id' | 'display_name'> };

/** Links sites to their zones, and takes that back; nothing of it reaches Cloudflare. */
export function useLinking() {
  const [linkZone] = zonesApi.useLinkZoneMutation();
  const [unlinkZone] = zonesApi.useUnlinkZoneMutation();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const link = async ({ site, zone }: Pair, autoSync?: boolean): Promise<boolean> => {
    setBusy(site.id);
    setFailure(undefined);
    const { error } = await linkZone({
      zone: zone.id,
      site: site.id,
      ...(autoSync !== undefined && { autoSync }),
    });
    setBusy(undefined);
    if (error) setFailure(tellFailure(error, 'Failed to link site'));
    else toast.success(`${site.name} est lié à ${zone.display_name}.`);
    return !error;
  };
  const unlink = async ({ site_id: id, site_name: known, zone_mappings: mappings }: SiteZone): Promise<void> => {
    setBusy(id);
    setFailure(undefined);
    const { error } = await unlinkZone(id);
    setBusy(undefined);
    if (error) return setFailure(tellFailure(error, 'Failed to unlink site'));
    const name = known ?? 'Le site';
    const undo = () => {
      for (const { zone_id: zone, zone_name: shown, auto_sync: autoSync } of mappings)
        void link({ site: { id, name }, zone: { id: zone, display_name: shown } }, autoSync);
    };
    toast.success(`${name} n’est plus lié à ${mappings.map(({ zone_name: zone }) => zone).join(', ')}.`, undo);
  };
  return { busy, failure, link, unlink };
}

export type Linking = ReturnType<typeof useLinking>;
