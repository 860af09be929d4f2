import type { HealthItem } from '@vigie/contracts/server-health';
import { type ServerState, serverState } from '@vigie/contracts/server-state';
import type { Tone } from '../../ui/Status';

/** How every screen shows the state of a server. */
export const serverStates: Readonly<Record<ServerState, { tone: Tone; word: string }>> = {
  offline: { tone: 'danger', word: 'Hors ligne' },
  alert: { tone: 'danger', word: 'En alerte' },
  online: { tone: 'ok', word: 'En ligne' },
  unknown: { tone: 'neutral', word: 'Inconnu' },
};

const isOnline = { up: true, down: false, unknown: null } as const;

export const healthState = ({ status, alerts }: Pick<HealthItem, 'status' | 'alerts'>) =>
  serverStates[serverState(isOnline[status], alerts)];
