import type { Command, Option } from './command';
import type { Language } from './language';

const width = 34;

const optionText = ({ name, value }: Option, language: Language): string =>
  value ? `--${name} ${value[language]}` : `--${name}`;

const row = (left: string, right: string): string =>
  left.length < width - 2 ? `  ${left.padEnd(width - 2)}${right}` : `  ${left}\n${' '.repeat(width)}${right}`;

const exits = {
  fr: 'Codes de sortie\u00a0: 0 fait, 1 échoué, 2 usage (ou nom introuvable), 3 refusé, 4 issue inconnue.',
  en: 'Exit codes: 0 done, 1 failed, 2 usage (or a name that is not found), 3 refused, 4 outcome unknown.',
};

const usageOf = ({ name, parameters }: Command, language: Language): string =>
  `vigie ${name} ${parameters[language]}`.trimEnd();

/** The page of `vigie help`. */
export function helpOfAll(commands: readonly Command[], globals: readonly Option[], language: Language): string {
  const lines = commands.map((command) =>
    row(`${command.name} ${command.parameters[language]}`.trimEnd(), command.about[language]),
  );
  const isFrench = language === 'fr';
  return [
    isFrench ? 'vigie COMMANDE [OPTIONS]' : 'vigie COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    isFrench ? 'Options de toutes les commandes\u00a0:' : 'Options of every command:',
    ...globals.map((option) => row(optionText(option, language), option.about[language])),
    '',
    isFrench
      ? 'Un site, un serveur ou une zone se nomme par son identifiant, son nom exact ou son adresse\u00a0; un groupe par son nom ou son chemin, «\u00a0Clients/Dupont\u00a0».'
      : 'A site, a server or a zone is named by its id, its exact name or its address; a group by its name or its path, “Clients/Dupont”.',
    exits[language],
    isFrench ? '«\u00a0vigie help COMMANDE\u00a0» en dit plus.' : '“vigie help COMMAND” says more.',
  ].join('\n');
}

/** The page of `vigie help COMMAND`. */
export function helpOfOne(command: Command, globals: readonly Option[], language: Language): string {
  const options = [...command.options, ...globals];
  return [
    usageOf(command, language),
    '',
    command.about[language],
    '',
    ...options.map((option) => row(optionText(option, language), option.about[language])),
  ].join('\n');
}

/** The list of commands in `docs/cli.md`. */
export function commandsInMarkdown(commands: readonly Command[], language: Language): string {
  const items = commands.map((command) => {
    const written = command.options.map((option) => `\`${optionText(option, language)}\``).join(' ');
    return `- \`${usageOf(command, language)}\` ${command.about[language]}${written && `: ${written}`}`;
  });
  return items.join('\n');
}
