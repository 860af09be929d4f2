import { forLoginShell } from './login-shell';

/**
 * Enters a folder, then becomes the login shell of the user. The folder and the sentence for one that cannot be entered are lines
 * of the terminal's input, which begins without an echo so that they do not show.
 */
export const shellInFolder = forLoginShell(
  [
    'IFS= read -r folder; IFS= read -r sentence; stty echo 2>/dev/null',
    'cd -- "$folder" 2>/dev/null || { printf "%s" "$sentence"; echo; }',
    'exec "${SHELL:-/bin/sh}" -l',
  ].join('; '),
);

/** `name` is what the user calls the folder. */
export function folderInput(folder: string, name = folder): string {
  if (/\p{Cc}/u.test(folder)) throw new Error('a folder has control characters');
  return `${folder}\nLe dossier ${name} ne s’ouvre pas\u00a0: cette console reste dans votre dossier personnel.\n`;
}
