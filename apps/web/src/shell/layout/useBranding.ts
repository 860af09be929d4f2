import { useEffect } from 'react';
import { settingsApi } from '../../features/settings/settings.api';
import { brand } from '../../ui/brand';

const retryMs = 5_000;
const { branding } = settingsApi.endpoints;

/** Polls until the first response; after that, the settings screen announces what it saves. */
export function useBranding(): void {
  const { data } = branding.useQueryState();
  branding.useQuerySubscription(undefined, { pollingInterval: data ? 0 : retryMs, skipPollingIfUnfocused: true });
  useEffect(() => {
    if (data) brand.set(data);
  }, [data]);
}
