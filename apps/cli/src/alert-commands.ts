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
