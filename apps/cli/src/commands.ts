import { alerts } from './alert-commands';
import type { Command, Option } from './command';
import { complete } from './completion';
import { same } from './language';
import { detach, globalOptions, group, limit, plan, yes } from './options';

const many = Number.MAX_SAFE_INTEGER;
const manySites = { fr: 'SITE…|--group GROUPE', en: 'SITE…|--group GROUP' };
const search = { fr: '[RECHERCHE]', en: '[SEARCH]' };
const none = same('');

const account: readonly Command[] = [
  {
    name: 'login',
    parameters: same('[URL]'),
    about: { fr: 'crée un jeton et le garde', en: 'makes a token and keeps it' },
    options: [
      { name: 'email', value: same('EMAIL'), about: { fr: 'l’adresse du compte', en: 'the address of the account' } },
      {
        name: 'scopes',
        value: { fr: 'DROITS', en: 'SCOPES' },
        isMany: true,
        about: {
          fr: 'droits du jeton (read,backup,restore,update,dns)',
          en: 'scopes of the token (read,backup,restore,update,dns)',
        },
      },
      {
        name: 'days',
        value: { fr: 'JOURS', en: 'DAYS' },
        about: { fr: 'durée du jeton (90)', en: 'life of the token (90)' },
      },
      { name: 'token', about: { fr: 'lit un jeton sur l’entrée', en: 'reads a token from the input' } },
    ],
    counts: [0, 1],
    load: async () => (await import('./accounts')).login,
  },
  {
    name: 'logout',
    parameters: none,
    about: { fr: 'oublie le jeton gardé ici', en: 'forgets the token that is kept here' },
    options: [],
    counts: [0, 0],
    load: async () => (await import('./accounts')).logout,
  },
  {
    name: 'whoami',
    parameters: none,
    about: { fr: 'dit qui vous êtes, et où', en: 'says who you are, and where' },
    options: [],
    counts: [0, 0],
    load: async () => (await import('./accounts')).whoami,
  },
];

const fleet: readonly Command[] = [
  {
    name: 'sites',
    parameters: search,
    about: {
      fr: 'liste les sites (maj:oui statut:erreur php:<8.2 texte)',
      en: 'lists the sites (maj:oui statut:erreur php:<8.2 text)',
    },
    options: [
      group,
      {
        name: 'server',
        value: { fr: 'SERVEUR', en: 'SERVER' },
        about: { fr: 'les sites de ce serveur', en: 'the sites of this server' },
      },
    ],
    counts: [0, many],
    load: async () => (await import('./sites')).list,
  },
  {
    name: 'site show',
    parameters: same('SITE'),
    about: { fr: 'montre un site, ses plugins et ses thèmes', en: 'shows a site, its plugins and its themes' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./sites')).show,
  },
  {
    name: 'site test',
    parameters: manySites,
    about: { fr: 'teste la connexion et relit les sites', en: 'tests the connection and reads the sites anew' },
    options: [group, detach],
    counts: [0, many],
    load: async () => (await import('./sites')).test,
  },
  {
    name: 'servers',
    parameters: search,
    about: { fr: 'liste les serveurs', en: 'lists the servers' },
    options: [],
    counts: [0, many],
    load: async () => (await import('./servers')).list,
  },
  {
    name: 'server show',
    parameters: { fr: 'SERVEUR', en: 'SERVER' },
    about: { fr: 'montre un serveur', en: 'shows a server' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./servers')).show,
  },
  {
    name: 'server test',
    parameters: { fr: 'SERVEUR', en: 'SERVER' },
    about: { fr: 'teste la connexion à un serveur', en: 'tests the connection to a server' },
    options: [detach],
    counts: [1, 1],
    load: async () => (await import('./servers')).test,
  },
];

const changes: readonly Command[] = [
  {
    name: 'update',
    parameters: manySites,
    about: { fr: 'met à jour ce que montre le plan', en: 'updates what the plan shows' },
    options: [
      group,
      { name: 'core', about: { fr: 'WordPress lui-même', en: 'WordPress itself' } },
      { name: 'plugins', about: { fr: 'les plugins', en: 'the plugins' } },
      { name: 'themes', about: { fr: 'les thèmes', en: 'the themes' } },
      {
        name: 'only',
        value: same('SLUG,…'),
        isMany: true,
        about: { fr: 'seulement ceux-là', en: 'only these' },
      },
      plan,
      yes,
      detach,
    ],
    counts: [0, many],
    load: async () => (await import('./updates')).update,
  },
  {
    name: 'rollback',
    parameters: same('SITE SLUG'),
    about: { fr: 'remet la version d’avant une mise à jour', en: 'goes back to the version before an update' },
    options: [yes, detach],
    counts: [2, 2],
    load: async () => (await import('./updates')).rollback,
  },
  {
    name: 'backup',
    parameters: manySites,
    about: { fr: 'sauvegarde, et écrit le nom des archives', en: 'backs up, and prints the names of the archives' },
    options: [
      group,
      { name: 'with-cache', about: { fr: 'y compris les caches', en: 'caches included' } },
      { name: 'download', about: { fr: 'copie aussi l’archive chez Vigie', en: 'also copies the archive to Vigie' } },
      detach,
    ],
    counts: [0, many],
    load: async () => (await import('./backups')).backup,
  },
  {
    name: 'backups',
    parameters: same('SITE'),
    about: { fr: 'liste les archives d’un site', en: 'lists the archives of a site' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./backups')).list,
  },
  {
    name: 'restore',
    parameters: same('SITE ARCHIVE'),
    about: { fr: 'restaure une archive', en: 'restores an archive' },
    options: [
      { name: 'local', about: { fr: 'la copie que garde Vigie', en: 'the copy that Vigie keeps' } },
      {
        name: 'mode',
        value: same('merge|replace'),
        about: {
          fr: 'garde ce qui n’est pas dans l’archive, ou non (merge)',
          en: 'keeps what the archive lacks, or not (merge)',
        },
      },
      {
        name: 'scope',
        value: same('all|database|uploads|plugins|themes|path|table'),
        about: { fr: 'la partie à restaurer (all)', en: 'the part to restore (all)' },
      },
      {
        name: 'path',
        value: { fr: 'CHEMIN', en: 'PATH' },
        about: { fr: 'le fichier ou la table de --scope', en: 'the file or table of --scope' },
      },
      yes,
      detach,
    ],
    counts: [2, 2],
    load: async () => (await import('./backups')).restore,
  },
  {
    name: 'repair',
    parameters: same('SITE'),
    about: { fr: 'dit ce qui casse un site, et le répare', en: 'says what breaks a site, and repairs it' },
    options: [
      {
        name: 'apply',
        value: { fr: 'RÉPARATION', en: 'REPAIR' },
        about: { fr: 'fait cette réparation', en: 'makes this repair' },
      },
      yes,
      detach,
    ],
    counts: [1, 1],
    load: async () => (await import('./repairs')).repairOne,
  },
  {
    name: 'run',
    parameters: { fr: 'SITE…|--group GROUPE -- COMMANDE', en: 'SITE…|--group GROUP -- COMMAND' },
    about: {
      fr: 'exécute une commande dans le dossier de chaque site',
      en: 'runs a command in the folder of each site',
    },
    options: [
      group,
      { name: 'wp', about: { fr: 'une commande de WP-CLI', en: 'a command of WP-CLI' } },
      {
        name: 'timeout',
        value: { fr: 'SECONDES', en: 'SECONDS' },
        about: { fr: 'délai par site (300)', en: 'time limit of each site (300)' },
      },
      plan,
      yes,
      detach,
    ],
    counts: [0, many],
    takesRest: true,
    load: async () => (await import('./site-commands')).run,
  },
];

const recordOptions: readonly Option[] = [
  {
    name: 'ttl',
    value: { fr: 'SECONDES', en: 'SECONDS' },
    about: { fr: 'durée de vie, 1 pour automatique', en: 'time to live, 1 for automatic' },
  },
  {
    name: 'priority',
    value: { fr: 'NOMBRE', en: 'NUMBER' },
    about: { fr: 'priorité d’un MX ou d’un SRV', en: 'priority of an MX or SRV' },
  },
  {
    name: 'proxied',
    value: same('yes|no'),
    about: { fr: 'par le proxy de Cloudflare', en: 'by the proxy of Cloudflare' },
  },
  { name: 'comment', value: { fr: 'TEXTE', en: 'TEXT' }, about: { fr: 'commentaire', en: 'comment' } },
];
const recordId: Option = {
  name: 'id',
  value: same('ID'),
  about: { fr: 'lequel, s’il y en a plusieurs', en: 'which one, of several' },
};

const dns: readonly Command[] = [
  {
    name: 'dns zones',
    parameters: search,
    about: { fr: 'liste les domaines', en: 'lists the zones' },
    options: [],
    counts: [0, many],
    load: async () => (await import('./dns')).zones,
  },
  {
    name: 'dns records',
    parameters: { fr: 'ZONE [RECHERCHE]', en: 'ZONE [SEARCH]' },
    about: { fr: 'liste les enregistrements d’un domaine', en: 'lists the records of a zone' },
    options: [{ name: 'type', value: same('TYPE'), about: { fr: 'A, CNAME, MX…', en: 'A, CNAME, MX…' } }],
    counts: [1, many],
    load: async () => (await import('./dns')).records,
  },
  {
    name: 'dns add',
    parameters: { fr: 'ZONE TYPE NOM CONTENU', en: 'ZONE TYPE NAME CONTENT' },
    about: { fr: 'ajoute un enregistrement', en: 'adds a record' },
    options: [...recordOptions, plan, yes],
    counts: [4, 4],
    load: async () => (await import('./dns')).add,
  },
  {
    name: 'dns set',
    parameters: { fr: 'ZONE TYPE NOM CONTENU', en: 'ZONE TYPE NAME CONTENT' },
    about: { fr: 'change un enregistrement', en: 'changes a record' },
    options: [recordId, ...recordOptions, plan, yes],
    counts: [4, 4],
    load: async () => (await import('./dns')).set,
  },
  {
    name: 'dns delete',
    parameters: { fr: 'ZONE TYPE NOM [CONTENU]', en: 'ZONE TYPE NAME [CONTENT]' },
    about: { fr: 'supprime un enregistrement', en: 'deletes a record' },
    options: [recordId, plan, yes],
    counts: [3, 4],
    load: async () => (await import('./dns')).remove,
  },
];

const work: readonly Command[] = [
  {
    name: 'jobs',
    parameters: none,
    about: { fr: 'liste les dernières tâches', en: 'lists the latest jobs' },
    options: [
      { name: 'state', value: same('open|failures|…'), about: { fr: 'seulement celles-là', en: 'only these' } },
      limit,
    ],
    counts: [0, 0],
    load: async () => (await import('./jobs')).list,
  },
  {
    name: 'jobs follow',
    parameters: same('ID'),
    about: { fr: 'suit une tâche jusqu’à sa fin', en: 'follows a job to its end' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./jobs')).follow,
  },
  {
    name: 'jobs cancel',
    parameters: same('ID'),
    about: { fr: 'annule une tâche', en: 'cancels a job' },
    options: [],
    counts: [1, 1],
    load: async () => (await import('./jobs')).cancel,
  },
  {
    name: 'events',
    parameters: none,
    about: { fr: 'dit qui a fait quoi', en: 'says who did what' },
    options: [
      { name: 'follow', about: { fr: 'continue avec ce qui arrive', en: 'goes on with what happens' } },
      { name: 'kind', value: same('updates|backups|…'), about: { fr: 'seulement ceux-là', en: 'only these' } },
      limit,
    ],
    counts: [0, 0],
    load: async () => (await import('./events')).list,
  },
];

const shell: readonly Command[] = [
  {
    name: 'completion',
    parameters: same('bash|zsh|fish'),
    about: { fr: 'écrit la complétion de ce shell', en: 'prints the completion of this shell' },
    options: [],
    counts: [1, 1],
    load: () => Promise.resolve(complete(() => commands, globalOptions)),
  },
];

export const commands: readonly Command[] = [...account, ...fleet, ...changes, ...dns, ...alerts, ...work, ...shell];
