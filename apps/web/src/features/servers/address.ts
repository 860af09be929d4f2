/** How somebody reaches a server, as far as a line says it. */
export type SshTarget = { host: string; port?: string; user?: string };

/** What follows these on a command line is theirs, and no host. */
const takesValue = /^-[BbcDEeFIiJLmOoPpQRSWwl]$/;

/** `user@host:port`, with what may be missing; an IPv6 address has a port in brackets only. */
function readHost(text: string): SshTarget | undefined {
  const at = text.lastIndexOf('@');
  const found = /^(?<host>\[[^\]]+\]|[^:[\]]+|[^[\]]*:[^[\]]*:[^[\]]*)(?::(?<port>\d{1,5}))?$/.exec(text.slice(at + 1));
  const { host, port } = found?.groups ?? {};
  if (!host) return undefined;
  const user = text.slice(0, Math.max(at, 0)).replace(/:.*$/, '');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), ...(port && { port }), ...(user && { user }) };
}

function readCommand(words: readonly string[]): SshTarget | undefined {
  const options: Partial<Record<string, string>> = {};
  let target: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const joined = /^-([pl])(.+)$/.exec(word);
    if (joined?.[1]) options[joined[1]] = joined[2];
    else if (takesValue.test(word)) options[word.slice(1)] = words[(at += 1)];
    else if (!word.startsWith('-')) target ??= word;
  }
  const read = target === undefined ? undefined : readHost(target.replace(/^ssh:\/\//i, ''));
  if (!read) return undefined;
  const { p: port, l: user } = options;
  return { ...read, ...(port && { port }), ...(user && { user }) };
}

/** `ssh -p 2222 user@host`, `user@host:port` or `ssh://…`; undefined for what is a host and nothing more. */
export function readTarget(text: string): SshTarget | undefined {
  const line = text.trim();
  if (/^ssh\s/i.test(line)) return readCommand(line.split(/\s+/).slice(1));
  if (/^ssh:\/\//i.test(line)) return readHost(line.replace(/^ssh:\/\/([^/?#]*).*$/i, '$1'));
  if (/\s/.test(line)) return undefined;
  const read = readHost(line);
  return read && (read.port ?? read.user) !== undefined ? read : undefined;
}
