import type { Tone } from '../../ui/Status';
import { maxAttempts, type LinkState } from './link-state';

export const exitText = ({ code, signal }: Extract<LinkState, { status: 'ended' }>): string =>
  signal === null ? `code ${code ?? 'inconnu'}` : `signal ${signal}`;

export function stateLabel(state: LinkState): { tone: Tone; word: string } {
  switch (state.status) {
    case 'connecting':
      return { tone: 'info', word: 'Connexion…' };
    case 'connected':
      return { tone: 'ok', word: 'Connecté' };
    case 'reconnecting':
      return { tone: 'warn', word: `Reconnexion ${state.attempt}/${maxAttempts}` };
    case 'lost':
      return { tone: 'danger', word: 'Connexion perdue' };
    case 'ended':
      return { tone: 'neutral', word: `Fermée (${exitText(state)})` };
    case 'gone':
      return state.isAlive ? { tone: 'warn', word: 'Ouverte ailleurs' } : { tone: 'danger', word: 'Erreur' };
    default:
      return state satisfies never;
  }
}

type Advice = { next: string; actions: readonly ('retry' | 'restart' | 'place' | 'servers' | 'list')[] };

const restartAdvice: Advice = { next: 'Ouvrez-en une nouvelle.', actions: ['restart'] };

const adviceByCode: Readonly<Record<string, Advice>> = {
  ssh: { next: 'Corrigez la cause, puis ouvrez une nouvelle console.', actions: ['restart', 'place'] },
  host_key_changed: {
    next: 'Testez la connexion sur la page du serveur\u00a0: comparez-y les deux clés, et n’acceptez la nouvelle que si c’est bien celle du serveur.',
    actions: ['place', 'restart'],
  },
  unopened: {
    next: 'La connexion au serveur n’a pas abouti. Testez-la sur la page du serveur\u00a0: le test dira ce qui manque.',
    actions: ['place', 'restart'],
  },
  too_many: { next: 'Fermez-en une, puis réessayez.', actions: ['list', 'restart'] },
  gone: {
    next: 'L’agent de Vigie a redémarré, ou elle est restée plus de 15\u00a0minutes sans fenêtre ouverte.',
    actions: ['restart'],
  },
  taken_over: { next: 'Ce qui y tourne continue. Vous pouvez la reprendre ici.', actions: ['retry'] },
  flood: { next: 'Ce qui y tourne continue. Reconnectez-vous, puis collez moins à la fois.', actions: ['retry'] },
  session_ended: { next: 'Connectez-vous de nouveau pour en ouvrir une autre.', actions: [] },
  server_gone: { next: 'Il a été supprimé, ou ne vous est plus visible.', actions: ['servers'] },
  site_gone: { next: 'Si la page du site propose encore la console, ouvrez-la de nouveau.', actions: ['place'] },
};

/** What a site says of its connection stands on its page, as far as the user may see it. */
const siteAdvice: Advice = {
  next: 'Testez la connexion sur la page du site, puis ouvrez une nouvelle console.',
  actions: ['place', 'restart'],
};
const isAboutConnection = (code: string) => code === 'ssh' || code === 'host_key_changed' || code === 'unopened';

export function adviceFor(
  state: Extract<LinkState, { status: 'lost' | 'gone' }>,
  hasShell: boolean,
  isSite: boolean,
): Advice {
  if (state.status === 'lost' && !hasShell) {
    const place = isSite ? 'le site' : 'le serveur';
    const next = `Vérifiez votre connexion, et que ${place} n’a pas déjà 10\u00a0consoles ouvertes.`;
    return { next, actions: ['retry', 'place'] };
  }
  if (state.status === 'lost') {
    const next = 'Ce qui y tourne continue 15\u00a0minutes\u202f; Vigie réessaie toutes les 30\u00a0secondes.';
    return { next, actions: ['retry'] };
  }
  if (isSite && isAboutConnection(state.trouble.code)) return siteAdvice;
  return adviceByCode[state.trouble.code] ?? restartAdvice;
}
