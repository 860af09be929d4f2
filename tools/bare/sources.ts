/** Where apt gets the packages of a suite, as a line of sources.list says it. */
export type AptSource = { options: string; uri: string; suite: string; components: string };

/** `text` is a sources.list, or a .sources file of stanzas. Sources that are off or have no programs are left out. */
export function readSources(name: string, text: string): AptSource[] {
  return name.endsWith('.sources') ? readStanzas(text) : readLines(text);
}

function readLines(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const [, options = '', uri, suite, components = ''] =
      /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line) ?? [];
    return uri && suite ? [{ options: options.trim(), uri, suite, components: components.trim() }] : [];
  });
}

function readStanzas(text: string): AptSource[] {
  const withoutComments = text.replaceAll(/^#.*\n/gm, '');
  return withoutComments.split(/\n\s*\n/).flatMap((stanza) => {
    const words = (name: string) => (fieldOf(stanza, name) ?? '').split(/\s+/).filter((word) => word !== '');
    const isOff = /^(no|false|off|0|without)$/i.test(fieldOf(stanza, 'Enabled') ?? '');
    if (isOff || !words('Types').includes('deb')) return [];
    const [key, ...more] = words('Signed-By');
    // A key inside of the stanza has no place in a line.
    const options = key?.startsWith('/') && more.length === 0 ? `signed-by=${key}` : '';
    const components = words('Components').join(' ');
    return words('URIs').flatMap((uri) => words('Suites').map((suite) => ({ options, uri, suite, components })));
  });
}

const fieldOf = (stanza: string, name: string) =>
  new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'im').exec(stanza)?.[1]?.trim();

/** The distribution's own sources for another release; other people's packages are not part of a bare machine. */
export function adaptSources(sources: readonly AptSource[], from: string, to: string): AptSource[] {
  const own = new RegExp(`^${from}(-updates|-security|-backports)?$`);
  return sources
    .filter(({ suite, components }) => own.test(suite) && components.split(/\s+/).includes('main'))
    .map((source) => ({ ...source, suite: source.suite.replace(from, to) }));
}

export const mirrorOf = (sources: readonly AptSource[], suite: string) =>
  sources.find((source) => source.suite === suite)?.uri;

export function formatSources(sources: readonly AptSource[]): string {
  const lines = sources.map(
    ({ options, uri, suite, components }) => `deb ${options && `[${options}] `}${uri} ${suite} ${components}\n`,
  );
  return lines.join('');
}

/** The files of keys that sources are signed by. */
export const keyFiles = (sources: readonly AptSource[]) =>
  sources.flatMap(({ options }) => /(?:^|\s)signed-by=(\/\S+)/.exec(options)?.[1]?.split(',') ?? []);

/** Of `apt-config dump` what says how to get at packages: proxies, certificates and checks. */
export function readAcquire(dump: string): string {
  const lines = dump.split('\n').filter((line) => /^Acquire::(https?|Check-|Force|Retries|Languages)/.test(line));
  return lines.map((line) => `${line}\n`).join('');
}
