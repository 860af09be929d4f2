import { packSentence, type PackReport } from './pack-words';

type Sentence = { message: string; remedy: string };

const nothing = 'Le site est comme avant\u00a0: rien n’a été restauré.';
const again = 'Relancez la restauration.';
const other = 'Choisissez une autre sauvegarde.';
const room = 'Libérez de la place sur le serveur du site, puis relancez la restauration.';

const quoted = (words: string) => (words === '' ? '' : ` Détail\u00a0: «\u00a0${words}\u00a0».`);
const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1).replace('.', ',')}\u00a0Mo`;
/** The bytes needed, with the reserve that is kept free on the host. */
const withSpare = (bytes: number) => `${megabytes(bytes + 67_108_864)} (dont 64\u00a0Mo de réserve)`;
const damaged = (reason: string): Sentence => ({
  message: `Cette sauvegarde est abîmée\u00a0: ${reason}. ${nothing}`,
  remedy: other,
});
const dangerous = 'Vérifiez d’où elle vient, et n’utilisez pas ce fichier.';

/** Sentences by code and reason, as the PHP program reports them. Failures to read the site have the sentences of a backup. */
const sentences: Record<string, (report: PackReport) => Sentence> = {
  no_archive: () => ({
    message: `Ce fichier n’est pas une archive .wpress, ou n’est plus sur le serveur du site. ${nothing}`,
    remedy: 'Actualisez la liste des sauvegardes.',
  }),
  damaged: ({ path, words }) =>
    damaged(path === '' ? words || 'elle ne peut pas être lue en entier' : `«\u00a0${path}\u00a0» ne se lit pas`),
  encrypted: () => ({
    message: `Cette archive est chiffrée\u00a0: Vigie ne lit pas encore ces archives. ${nothing}`,
    remedy: 'Refaites la sauvegarde sans mot de passe.',
  }),
  compressed: () => ({
    message: `Cette archive est compressée\u00a0: Vigie ne lit pas encore ces archives. ${nothing}`,
    remedy: 'Refaites la sauvegarde sans compression.',
  }),
  dangerous_path: ({ path }) => ({
    message: `Cette archive contient un chemin dangereux\u00a0: «\u00a0${path}\u00a0». ${nothing}`,
    remedy: dangerous,
  }),
  collision: ({ path }) => ({
    message: `Dans cette archive, «\u00a0${path}\u00a0» apparaît deux fois, ou est à la fois un fichier et un dossier. ${nothing}`,
    remedy: dangerous,
  }),
  too_many: () => ({ message: `Cette archive contient trop de fichiers. ${nothing}`, remedy: dangerous }),
  leftover: ({ words }) => ({
    message: `Une restauration précédente de ce site est restée inachevée, et Vigie n’a pas pu la défaire\u00a0: rien d’autre n’a été touché.${quoted(words)}`,
    remedy: 'Vérifiez le disque, les droits et la base de données du site, puis relancez la restauration.',
  }),
  busy: () => ({
    message: 'Une restauration de ce site travaille encore sur le serveur.',
    remedy: 'Attendez quelques minutes, puis relancez la restauration.',
  }),
  'network.site': () => ({
    message: `Ce site est un réseau (multisite), et la sauvegarde vient d’un site seul. ${nothing}`,
    remedy: other,
  }),
  'network.archive': () => ({
    message: `La sauvegarde vient d’un réseau (multisite), et ce site est seul. ${nothing}`,
    remedy: other,
  }),
  no_database: () => ({ message: `Cette sauvegarde ne contient pas de base de données. ${nothing}`, remedy: other }),
  nothing: () => ({
    message: `Cette sauvegarde ne contient rien de ce qui est à restaurer. ${nothing}`,
    remedy: 'Choisissez une autre sauvegarde, ou restaurez-en une autre partie.',
  }),
  sqlite_dump: () => ({
    message: `La base de données de cette sauvegarde vient de SQLite\u00a0: la charger dans MySQL perdrait les tables du site. ${nothing}`,
    remedy: 'Restaurez seulement ses fichiers, ou une sauvegarde faite sur MySQL ou MariaDB.',
  }),
  sqlite: () => ({
    message: `Ce site garde ses données dans SQLite\u00a0: Vigie ne restaure que les sites sur MySQL ou MariaDB. ${nothing}`,
    remedy: 'Restaurez ses fichiers avec l’outil du serveur.',
  }),
  'lost.files': ({ words }) => ({
    message: `Des fichiers de la sauvegarde manquaient après leur copie (${words})\u00a0: un quota ou un antivirus les a peut-être retirés. ${nothing}`,
    remedy: 'Vérifiez la place et l’antivirus du serveur, puis relancez la restauration.',
  }),
  'lost.rows': ({ words }) => ({
    message: `La base n’a pas gardé toutes les lignes de la sauvegarde (table, lignes chargées sur lignes attendues)\u00a0: ${words}. ${nothing}`,
    remedy:
      'Vérifiez la base de données du site, puis relancez la restauration\u00a0; si cela se répète, choisissez une autre sauvegarde.',
  }),
  'lost.live': ({ words }) => ({
    message: `Une fois la sauvegarde en place, il manquait sur le site\u00a0: ${words}. Tout a été remis comme avant.`,
    remedy: 'Vérifiez qu’aucun autre outil n’écrit dans ce site, puis relancez la restauration.',
  }),
  altered: () => ({
    message: `Le fichier de la sauvegarde a changé pendant sa lecture. ${nothing}`,
    remedy: 'Attendez que plus rien n’écrive ce fichier, puis recommencez.',
  }),
  'sql.forbidden': ({ words }) => ({
    message: `La base de données de cette sauvegarde contient une instruction que Vigie n’exécute pas. ${nothing}${quoted(words)}`,
    remedy: dangerous,
  }),
  'sql.long': ({ path }) => ({
    message: `Une ligne de la table ${path} est plus longue que ce que la base du site accepte (max_allowed_packet). ${nothing}`,
    remedy: 'Augmentez max_allowed_packet sur le serveur de base de données, puis relancez la restauration.',
  }),
  'sql.cut': () => damaged('sa base de données s’arrête au milieu d’une instruction'),
  'sql.name': ({ path }) => ({
    message: `Avec le préfixe de ce site, le nom de la table ${path} dépasse les 64 signes que MySQL accepte. ${nothing}`,
    remedy: 'Restaurez seulement les fichiers, ou sur un site dont le préfixe est plus court.',
  }),
  sql: ({ path, words }) => ({
    message: `La base du site a refusé la table ${path}. ${nothing}${quoted(words)}`,
    remedy: 'Vérifiez la version de la base et les droits de son utilisateur, puis relancez la restauration.',
  }),
  'no_room.before': ({ needed, free }) => ({
    message: `Il faut ${withSpare(needed)} sur le disque du site, et il n’en reste que ${megabytes(free)}. ${nothing}`,
    remedy: room,
  }),
  'no_room.tables': ({ needed, free }) => ({
    message: `Il faut ${withSpare(needed)} sur le disque de la base de données, et il n’en reste que ${megabytes(free)}. ${nothing}`,
    remedy: 'Libérez de la place sur le serveur de base de données, puis relancez la restauration.',
  }),
  'no_room.write': () => ({
    message: `Le disque du site s’est rempli, ou sa limite a été atteinte, pendant la restauration. ${nothing}`,
    remedy: room,
  }),
  not_writable: ({ path }) => ({
    message: `Le propriétaire du site n’a pas le droit d’écrire dans ${path}. ${nothing}`,
    remedy: 'Rendez ce dossier à l’utilisateur du site (chown), puis relancez la restauration.',
  }),
  not_moved: ({ path, words }) => ({
    message: `${path} n’a pas pu être remplacé\u00a0: tout a été remis à sa place. ${nothing}${quoted(words)}`,
    remedy: 'Vérifiez les droits et les montages de ce dossier, puis relancez la restauration.',
  }),
  held: () => ({
    message: `Les tables du site n’ont pas pu être remplacées\u00a0: une autre opération sur la base (un export, par exemple) les retient. ${nothing}`,
    remedy: 'Attendez la fin de cette opération, puis relancez la restauration.',
  }),
  'database.connect': ({ words }) => ({
    message: `La base de données du site ne répond pas. ${nothing}${quoted(words)}`,
    remedy:
      'Vérifiez que la base fonctionne et que les réglages de wp-config.php sont bons, puis relancez la restauration.',
  }),
  database: ({ words }) => ({
    message: `La base de données du site a refusé une instruction. ${nothing}${quoted(words)}`,
    remedy: 'Vérifiez les droits de l’utilisateur de la base, puis relancez la restauration.',
  }),
  late: () => ({
    message: `La restauration a dépassé le temps qui lui est donné. ${nothing}`,
    remedy: 'Relancez-la à une heure plus calme, ou restaurez une partie après l’autre.',
  }),
  died: ({ words }) => ({
    message: `La restauration s’est arrêtée avant sa fin. ${nothing}${quoted(words)}`,
    remedy: again,
  }),
};

export function restoreSentence(code: string, report: PackReport): Sentence {
  const sentence = sentences[`${code}.${report.why}`] ?? sentences[code];
  return sentence ? sentence(report) : packSentence(code, report, { name: 'la restauration', nothing });
}

export const brokenSentence = (words: string, path: string) => ({
  code: 'broken',
  message: `Le site restauré ne démarre pas\u00a0: tout a été remis comme avant.${quoted([words, path].filter(Boolean).join(' — '))}`,
  remedy: 'Restaurez une sauvegarde plus ancienne, ou seulement la base ou les fichiers.',
});

type Warning = { code: string; name: string; words: string; list: string[] };

/** Sentences for what a restore did differently than asked. */
export function warningOf({ code, name, words, list }: Warning): string {
  if (code === 'neighbours') {
    return `Ces tables sont à un autre WordPress de la même base\u00a0: elles n’ont pas été touchées (${list.join(', ')}).`;
  }
  if (code === 'left') {
    return `Des fichiers d’avant n’ont pas pu être supprimés, leur propriétaire n’est pas celui du site\u00a0: supprimez-les vous-même (${list.join(', ')}).`;
  }
  if (code === 'unsafe') {
    return `La sauvegarde de sécurité est incomplète\u00a0: si vous y revenez, ces éléments manqueront (${list.join(', ')}).`;
  }
  if (code === 'cut') {
    return `Des valeurs étaient trop longues pour ces colonnes\u00a0: la base les a coupées, le plus souvent parce que l’adresse du site est devenue plus longue (${list.join(', ')}).`;
  }
  if (code === 'collations') {
    return `La base du site ne connaît pas ces ordres de tri (collations)\u00a0: elle a pris les plus proches (${list.join(', ')}).`;
  }
  if (code === 'address') return addressWarning(name, words);
  if (code === 'absent_plugins') {
    return `Ces plugins sont actifs dans la sauvegarde, mais leurs fichiers ne sont ni dans la sauvegarde ni sur le site\u00a0: ils ne fonctionneront pas (${list.join(', ')}).`;
  }
  if (code === 'absent_themes') {
    return `Les fichiers du thème actif ne sont ni dans la sauvegarde ni sur le site\u00a0: choisissez un autre thème (${list.join(', ')}).`;
  }
  return `${name} n’a pas pu être recréé dans la base.${quoted(words)}`;
}

function addressWarning(archived: string, recorded: string): string {
  const conflict =
    archived === recorded
      ? ''
      : ` Vigie connaît ce site à l’adresse ${recorded}\u00a0: corrigez celle qui n’est pas la bonne.`;
  return `Le site avait perdu son adresse\u00a0: il a pris celle de la sauvegarde, ${archived}.${conflict}`;
}
