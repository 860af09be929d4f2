/**
 * Wraps a constant /bin/sh command for any login shell. Inside single quotes sh, csh and fish agree on all but a few
 * characters, which are refused; data goes through standard input.
 */
export function forLoginShell(script: string): string {
  if (/['\\!\r\n]|[^ -~]/.test(script))
    throw new Error('not the same in every login shell: quotes, \\, ! and line ends');
  return `exec /bin/sh -c '${script}'`;
}
