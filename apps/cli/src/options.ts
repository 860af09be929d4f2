import type { Option } from './command';
import { same } from './language';

/** Of every command. */
export const globalOptions: readonly Option[] = [
  { name: 'json', about: { fr: 'répond en JSON', en: 'answers in JSON' } },
  { name: 'lang', value: same('fr|en'), about: { fr: 'langue des messages', en: 'language of the messages' } },
  {
    name: 'patience',
    value: { fr: 'SECONDES', en: 'SECONDS' },
    about: {
      fr: 'combien de temps retenter une connexion perdue (120)',
      en: 'how long a lost connection is tried again (120)',
    },
  },
  { name: 'help', about: { fr: 'cette aide', en: 'this help' } },
];

export const yes: Option = { name: 'yes', about: { fr: 'fait sans demander', en: 'does it without a question' } };
export const plan: Option = {
  name: 'plan',
  about: { fr: 'montre sans rien changer', en: 'shows it and changes nothing' },
};
export const group: Option = {
  name: 'group',
  value: { fr: 'GROUPE', en: 'GROUP' },
  about: { fr: 'les sites du groupe et de ceux qu’il contient', en: 'the sites of the group and of those in it' },
};
export const detach: Option = {
  name: 'detach',
  about: { fr: 'écrit le numéro de la tâche et n’attend pas', en: 'prints the id of the job and does not wait' },
};
export const limit: Option = {
  name: 'limit',
  value: { fr: 'NOMBRE', en: 'NUMBER' },
  about: { fr: 'combien de lignes (20)', en: 'how many lines (20)' },
};
