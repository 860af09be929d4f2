import type { Tone } from '../../ui/Status';
import { attempts, type LinkState } from './link-state';

export const endOf = ({ code, signal }: Extract<LinkState, { at: 'ended' }>): string =>
  signal === null ? `code ${code ?? 'inconnu'}` : `signal ${signal}`;

export function stateOf(state: LinkState): { tone: Tone; word: string } {
  switch (state.at) {
    case 'connecting':
      return { tone: 'info', word: 'Connexion…' };
    case 'connected':
      return { tone: 'ok', word: 'Connecté' };
    case 'reconnecting':
      return { tone: 'warn', word: `Reconnexion ${state.attempt}/${attempts}` };
    case 'lost':
      return { tone: 'danger', word: 'Connexion perdue' };
    case 'ended':
      return { tone: 'neutral', word: `Fermée (${endOf(state)})` };
    case 'gone':
      return state.isAlive ? { tone: 'warn', word: 'Ouverte ailleurs' } : { tone: 'danger', word: 'Erreur' };
    default:
      return state satisfies never;
  }
}

type Advice = { next: string; can: readonly ('retry' | 'restart' | 'server' | 'servers' | 'list')[] };

const restart: Advice = { next: 'Ouvrez-en une nouvelle.', can: ['restart'] };

const advices: Readonly<Record<string, Advice>> = {
  ssh: { next: 'La cause corrigée, ouvrez une nouvelle console.', can: ['restart', 'server'] },
  host_key_changed: {
    next: 'Testez la connexion sur la page du serveur\u00a0: elle montre les deux clés, et accepte la nouvelle si elle est bien la sienne.',
    can: ['server', 'restart'],
  },
  unopened: {
    next: 'La connexion au serveur n’a pas abouti. Testez-la sur la page du serveur\u00a0: elle dit ce qui manque.',
    can: ['server', 'restart'],
  },
  too_many: { next: 'Fermez-en une, puis réessayez.', can: ['list', 'restart'] },
  gone: {
    next: 'Le programme qui la portait s’est arrêté, ou elle est restée seule plus de 15\u00a0minutes.',
    can: ['restart'],
  },
  taken_over: { next: 'Ce qui y tourne continue. Vous pouvez la reprendre ici.', can: ['retry'] },
  flood: { next: 'Ce qui y tourne continue. Reconnectez-vous, puis collez moins à la fois.', can: ['retry'] },
  session_ended: { next: 'Connectez-vous de nouveau pour en ouvrir une autre.', can: [] },
  server_gone: { next: 'Il a été supprimé, ou ne vous est plus visible.', can: ['servers'] },
};

export function adviceOn(state: Extract<LinkState, { at: 'lost' | 'gone' }>, hasShell: boolean): Advice {
  if (state.at === 'lost' && !hasShell) {
    const next = 'Vérifiez votre connexion, et que le serveur n’a pas déjà 10\u00a0consoles ouvertes.';
    return { next, can: ['retry', 'server'] };
  }
  if (state.at === 'lost') {
    const next = 'Ce qui y tourne continue 15\u00a0minutes\u202f; Vigie réessaie toutes les 30\u00a0secondes.';
    return { next, can: ['retry'] };
  }
  return advices[state.trouble.code] ?? restart;
}
