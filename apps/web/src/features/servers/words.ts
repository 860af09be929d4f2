import type { ServerStatus } from '@vigie/contracts/servers';
import type { Column } from './search';

/** Explains the status; undefined where there is nothing to explain. */
export function reasonOf({ online, method, error }: ServerStatus): string | undefined {
  const failure = error ?? undefined;
  return online && method === 'tcp' ? ['Seul le port répond.', failure].filter(Boolean).join(' ') : failure;
}

export const columnLabels: Record<Column, string> = {
  name: 'Nom',
  host: 'Hôte',
  provider: 'Fournisseur',
  type: 'Type',
};
