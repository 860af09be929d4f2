import { type ConsoleTrouble, troubleSentences } from '@vigie/contracts/console-frames';

export const closeCodes: Record<ConsoleTrouble, number> = {
  taken_over: 4409,
  gone: 4404,
  session_ended: 4401,
  server_gone: 4404,
  site_gone: 4404,
  flood: 4429,
  too_many: 4429,
  unavailable: 4503,
  ssh: 4404,
  host_key_changed: 4404,
};

/** Used when the agent sent no sentence of its own. */
export const sentences: Record<ConsoleTrouble, string> = {
  ...troubleSentences,
  gone: 'Cette console n’existe plus\u00a0: ouvrez-en une autre.',
  flood: 'Trop de données ont été envoyées à la fois\u00a0: la connexion est coupée.',
  too_many: 'Trop de consoles sont ouvertes.',
  ssh: 'La connexion SSH a échoué.',
  host_key_changed: 'La clé du serveur a changé.',
};
