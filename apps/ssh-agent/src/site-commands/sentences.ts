import type { JobError } from '@vigie/contracts/jobs';
import type { CommandEnd } from '@vigie/wordpress/commands';

export const missingWpCli: JobError = {
  message: 'WP-CLI n’est pas installé sur ce serveur, ou le propriétaire du site ne peut pas le lire.',
  remedy:
    'Téléchargez wp-cli.phar depuis wp-cli.org et rangez-le sous /usr/local/bin/wp (chmod 755), ou choisissez Shell.',
  code: 'no_wp_cli',
};

/** Says why a command did not end well; undefined where it did. */
export function endingError({ code, why, left }: CommandEnd, seconds: number): JobError | undefined {
  if (left > 0) {
    const message = 'État inconnu\u00a0: la commande devait s’arrêter, et certains de ses processus tournent encore.';
    return { message, remedy: 'Ouvrez la console du site pour les arrêter.', code: 'still_running' };
  }
  if (why === 'late') {
    return {
      message: `La commande a été arrêtée\u00a0: elle durait depuis ${formatSeconds(seconds)}.`,
      code: 'too_long',
    };
  }
  if (code === 0) return undefined;
  if (code > 128 && code <= 192) {
    return { message: `La commande a été arrêtée par le signal ${code - 128}.`, code: 'signal' };
  }
  return { message: `La commande s’est terminée par le code ${code}.`, code: 'exit_code' };
}

function formatSeconds(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${rest}\u00a0s`;
  return rest === 0 ? `${minutes}\u00a0min` : `${minutes}\u00a0min ${rest}\u00a0s`;
}

const number = new Intl.NumberFormat('fr');

export const restLine = (bytes: number): string => `… ${number.format(Math.ceil(bytes / 1_000))}\u00a0Ko de plus`;
