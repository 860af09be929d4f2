import type { ExecResult } from '@vigie/ssh/exec';
import type { ScriptOptions } from '@vigie/ssh/script';

export type Host = { run: (script: string, options: ScriptOptions) => Promise<ExecResult> };

/** A site could not be read although its host answers. */
export class SiteFailure extends Error {
  constructor(
    readonly code:
      | 'no_php'
      | 'root_owned'
      | 'unsure_owner'
      | 'no_privilege_tool'
      | 'no_answer'
      | 'no_path'
      | 'not_writable',
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'SiteFailure';
  }
}

export const unsureOwner = () =>
  new SiteFailure(
    'unsure_owner',
    'Les fichiers du site appartiennent à plusieurs comptes, ou sont des liens\u00a0: Vigie ne sait pas avec quels droits l’exécuter.',
    'Donnez wp-load.php, wp-includes/version.php et wp-content au même compte (chown -R), sans lien, ou connectez-vous avec ce compte.',
  );
