import { createHash } from 'node:crypto';
import { planChanged } from '@vigie/contracts/changed-plans';
import type { AppError } from '@vigie/contracts/errors';
import { effectiveAddress, type SiteConnection } from './site-access';

/** Where an order would work: another address, host or folder is another site, under the same id. */
export function placeOf({ site, server }: SiteConnection): string {
  const where = JSON.stringify([site.url, site.path, server?.id ?? null, effectiveAddress(site, server)]);
  return createHash('sha256').update(where).digest('hex');
}

/** The refusal of an order whose plan was made for another place; undefined where it holds. */
export function refuseOtherPlace(connection: SiteConnection, expected: string | undefined): AppError | undefined {
  if (expected === undefined || expected === placeOf(connection)) return undefined;
  return planChanged(
    'L’adresse, le serveur ou le dossier de ce site a changé depuis que le plan a été établi\u00a0: rien n’est fait.',
  );
}
