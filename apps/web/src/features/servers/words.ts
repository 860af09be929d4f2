import type { ServerStatus } from '@vigie/contracts/servers';
import type { Tone } from '../../ui/Status';
import type { Column } from './search';

export function stateOf({ online, method }: ServerStatus): { tone: Tone; word: string } {
  if (online === null) return { tone: 'neutral', word: 'Inconnu' };
  if (!online) return { tone: 'danger', word: 'Hors ligne' };
  return { tone: method === 'tcp' ? 'warn' : 'ok', word: 'En ligne' };
}

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
