import type { SiteKind } from '@vigie/testing/fleet/kinds';

type DemoServer = { name: string; provider: string; kinds: readonly SiteKind[]; copies: number };

export const servers: readonly DemoServer[] = [
  {
    name: 'démo-brest',
    provider: 'Cette machine',
    kinds: ['plain', 'awkward', 'multisite', 'config-above', 'moved-content', 'noisy', 'broken'],
    copies: 0,
  },
  { name: 'démo-lorient', provider: 'Cette machine', kinds: ['object-cache', 'read-only', 'other-owner'], copies: 3 },
];

export const groups = {
  vitrines: { name: 'Vitrines', description: 'Des sites comme les autres, de la démonstration.' },
  curiosités: { name: 'Curiosités', description: 'Chacun a quelque chose de particulier.' },
} as const;
export type GroupKey = keyof typeof groups;

export const sites: Readonly<Record<string, { name: string; group: GroupKey }>> = {
  plain: { name: 'Boulangerie Le Fournil', group: 'vitrines' },
  'plain-2': { name: 'Hôtel de la Baie', group: 'vitrines' },
  'plain-3': { name: 'Crêperie du Phare', group: 'vitrines' },
  'plain-4': { name: 'École de voile', group: 'vitrines' },
  awkward: { name: 'L’été à la plage & Cie (noms difficiles)', group: 'curiosités' },
  multisite: { name: 'Offices de tourisme (réseau)', group: 'curiosités' },
  'config-above': { name: 'Cabinet Morvan', group: 'vitrines' },
  'moved-content': { name: 'Librairie du Port (contenu déplacé)', group: 'curiosités' },
  noisy: { name: 'Radio Goéland (bavard)', group: 'curiosités' },
  broken: { name: 'Garage Kerleo (en panne)', group: 'curiosités' },
  'object-cache': { name: 'Journal des îles (cache d’objets)', group: 'curiosités' },
  'read-only': { name: 'Musée de la Marine (lecture seule)', group: 'curiosités' },
  'other-owner': { name: 'Camping des Dunes', group: 'vitrines' },
};

export const siteOfBrokenUpdate = 'plain-3';
