import { useEffect } from 'react';
import { settingsApi } from '../features/settings/settings.api';
import { brand } from '../ui/brand';

const againMs = 5_000;
const { branding } = settingsApi.endpoints;

/** Asked at the start, and again until it is answered; from then on what is saved is announced. */
export function useBranding(): void {
  const { data } = branding.useQueryState();
  branding.useQuerySubscription(undefined, { pollingInterval: data ? 0 : againMs, skipPollingIfUnfocused: true });
  useEffect(() => {
    if (data) brand.set(data);
  }, [data]);
}
