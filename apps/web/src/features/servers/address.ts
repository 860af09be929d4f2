/** The parts of an SSH command or address; missing parts are undefined. */
export type SshTarget = { host: string; port?: string; user?: string };

/** Options of `ssh` that take the next word as their value. */
const takesValue = /^-[BbcDEeFIiJLmOoPpQRSWwl]$/;

/** Reads `user@host:port`, where user and port are optional; an IPv6 address needs brackets before a port. */
function readHost(text: string): SshTarget | undefined {
  const at = text.lastIndexOf('@');
  const match = /^(?<host>\[[^\]]+\]|[^:[\]]+|[^[\]]*:[^[\]]*:[^[\]]*)(?::(?<port>\d{1,5}))?$/.exec(text.slice(at + 1));
  const { host, port } = match?.groups ?? {};
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
  const parsed = target === undefined ? undefined : readHost(target.replace(/^ssh:\/\//i, ''));
  if (!parsed) return undefined;
  const { p: port, l: user } = options;
  return { ...parsed, ...(port && { port }), ...(user && { user }) };
}

/** Reads `ssh -p 2222 user@host`, `user@host:port` or `ssh://…`; returns undefined for a plain host. */
export function parseSshTarget(text: string): SshTarget | undefined {
  const line = text.trim();
  if (/^ssh\s/i.test(line)) return readCommand(line.split(/\s+/).slice(1));
  if (/^ssh:\/\//i.test(line)) return readHost(line.replace(/^ssh:\/\/([^/?#]*).*$/i, '$1'));
  if (/\s/.test(line)) return undefined;
  const parsed = readHost(line);
  return parsed && (parsed.port ?? parsed.user) !== undefined ? parsed : undefined;
}
