import { Branding } from '@vigie/contracts/settings';
import { version as release } from '../../package.json';
import { createSignal, useSignal } from './signal';

export const version = `v${release}`;

/** The name and logos of this installation; the defaults until the server responds. */
export const brand = createSignal<Branding>({ app_name: 'Vigie', logo_light_b64: null, logo_dark_b64: null });

export const useBrand = (): Branding => useSignal(brand);

export const copyrightOf = ({ app_name: name }: Branding): string => `© ${new Date().getFullYear()} ${name}`;

const updated = 'app-settings-updated';

export const announceSettings = (settings: Branding): void => {
  window.dispatchEvent(new CustomEvent(updated, { detail: settings }));
};

// The settings screen announces new settings with this event.
window.addEventListener(updated, (event) => {
  const announced = Branding.safeParse(event instanceof CustomEvent ? event.detail : undefined);
  // Only the server knows whether it offers passkeys, and settings do not say it.
  if (announced.success) brand.set({ ...brand.get(), ...announced.data });
});
