export type AptSource = { options: string; uri: string; suite: string; components: string };

/** Reads a sources.list, or a .sources file of stanzas, without disabled sources and sources of source code. */
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
    const isDisabled = /^(no|false|off|0|without)$/i.test(fieldOf(stanza, 'Enabled') ?? '');
    if (isDisabled || !words('Types').includes('deb')) return [];
    const [key, ...more] = words('Signed-By');
    // A line cannot contain the key itself, as a stanza may.
    const options = key?.startsWith('/') && more.length === 0 ? `signed-by=${key}` : '';
    const components = words('Components').join(' ');
    return words('URIs').flatMap((uri) => words('Suites').map((suite) => ({ options, uri, suite, components })));
  });
}

const fieldOf = (stanza: string, name: string) =>
  new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'im').exec(stanza)?.[1]?.trim();

/** Adapts the distribution's own sources to another release, without third-party ones. */
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

export const keyFiles = (sources: readonly AptSource[]) =>
  sources.flatMap(({ options }) => /(?:^|\s)signed-by=(\/\S+)/.exec(options)?.[1]?.split(',') ?? []);

/** Keeps the download settings of `apt-config dump`: proxies, certificates and checks. */
export function readAcquire(dump: string): string {
  const lines = dump.split('\n').filter((line) => /^Acquire::(https?|Check-|Force|Retries|Languages)/.test(line));
  return lines.map((line) => `${line}\n`).join('');
}
