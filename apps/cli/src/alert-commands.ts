import type { Command } from './command';
import { same } from './language';
import { limit } from './options';

const none = same('');

/** What is wrong, and who is told of it. */
export const alerts: readonly Command[] = [
  {
    name: 'incidents',
    parameters: none,
    about: { fr: 'liste ce qui ne va pas', en: 'lists what is wrong' },
    options: [
      { name: 'state', value: same('open|resolved|all'), about: { fr: 'lesquels (open)', en: 'which ones (open)' } },
      limit,
    ],
    counts: [0, 0],
    load: async () => (await import('./incidents')).list,
  },
  {
    name: 'incidents show',
    parameters: same('ID'),
    about: { fr: 'raconte un incident', en: 'tells what happened in an incident' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./incidents')).show,
  },
  {
    name: 'incidents ack',
    parameters: same('ID'),
    about: { fr: 'dit que vous vous en occupez', en: 'says that you look after it' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./incidents')).acknowledge,
  },
  {
    name: 'maintenance',
    parameters: same('SITE'),
    about: {
      fr: 'ne compte pas les échecs d’un site pendant un moment',
      en: 'does not count the failures of a site for some time',
    },
    options: [
      {
        name: 'for',
        value: { fr: 'DURÉE', en: 'TIME' },
        about: { fr: 'combien de temps, comme 90m ou 2h (2h)', en: 'how long, such as 90m or 2h (2h)' },
      },
      { name: 'note', value: { fr: 'TEXTE', en: 'TEXT' }, about: { fr: 'une note', en: 'a note' } },
    ],
    counts: [1, 1],
    load: async () => (await import('./maintenance')).begin,
  },
  {
    name: 'maintenance list',
    parameters: same('[SITE]'),
    about: { fr: 'liste les maintenances en cours ou prévues', en: 'lists the maintenance that runs or is planned' },
    options: [limit],
    counts: [0, 1],
    load: async () => (await import('./maintenance')).list,
  },
  {
    name: 'maintenance end',
    parameters: same('ID'),
    about: { fr: 'termine une maintenance', en: 'ends a maintenance' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./maintenance')).end,
  },
  {
    name: 'channels',
    parameters: none,
    about: { fr: 'liste les canaux d’alerte', en: 'lists the channels of alerts' },
    options: [],
    counts: [0, 0],
    load: async () => (await import('./channels')).list,
  },
  {
    name: 'deliveries',
    parameters: none,
    about: { fr: 'liste les messages des canaux', en: 'lists the messages of the channels' },
    options: [
      {
        name: 'state',
        value: same('queued|sent|failed|cancelled'),
        about: { fr: 'seulement ceux-là', en: 'only these' },
      },
      limit,
    ],
    counts: [0, 0],
    load: async () => (await import('./channels')).listMessages,
  },
];
