import { expect, it } from 'vitest';
import type { PluginItem } from '@vigie/contracts/plugins';
import { fitInBytes } from './fit-in-bytes';

const site = {
  site_id: '0192f0c1-7e57-7000-8000-000000000001',
  site_name: 'Vitrine',
  version: '1.0',
  hasUpdate: false,
  blockedByLicense: false,
  new_version: null,
  status: 'active' as const,
};
const item = (name: string): PluginItem => ({
  plugin: 'vitrine',
  name: 'Vitrine',
  sites_count: 40,
  updates_count: 0,
  inactive_count: 0,
  blocked_count: 0,
  latest_version: '1.0',
  versions: [{ version: '1.0', sites_count: 40 }],
  versions_count: 1,
  sites: Array.from({ length: 20 }, () => ({ ...site, site_name: name })),
});
const page = (name: string) => Array.from({ length: 50 }, () => item(name));

it('shows twenty sites of each plugin when names are short', () => {
  expect(fitInBytes(page('Boutique du port')).map(({ sites }) => sites.length)).toEqual(Array(50).fill(20));
});

it('shows fewer sites when names are long, and never exceeds the size of a list', () => {
  const fitted = fitInBytes(page('🏝️'.repeat(50)));
  expect(fitted[0]?.sites.length).toBeLessThan(20);
  expect(fitted[0]?.sites.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(300_000);
  expect(fitInBytes(page('Vitrine'), 100).every(({ sites }) => sites.length === 0)).toBe(true);
});
