/** The variables of the shell that the command line reads. An empty one counts as unset. */
const read = (name: string): string | undefined => process.env[name] || undefined;

export type Env = ReturnType<typeof readEnv>;

export const readEnv = () => ({
  url: read('VIGIE_URL'),
  token: read('VIGIE_TOKEN'),
  configHome: read('XDG_CONFIG_HOME'),
  home: read('HOME'),
  locale: read('LC_ALL') ?? read('LC_MESSAGES') ?? read('LANG'),
  noColor: read('NO_COLOR') !== undefined,
  isDumb: read('TERM') === 'dumb',
});
