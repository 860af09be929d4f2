/** What the PHP program reports about a failure, before it becomes a sentence. */
export type PackReport = { why: string; words: string; path: string; needed: number; free: number };

type Sentence = { message: string; remedy: string };

/** Whether a backup or a restore failed, and what the site looks like after it. */
type Work = { name: 'la sauvegarde' | 'la restauration'; nothing: string };

const backup: Work = {
  name: 'la sauvegarde',
  nothing: 'Aucune sauvegarde n’a été faite, et rien n’en reste sur le site.',
};

const quoted = (words: string) => (words === '' ? '' : ` Détail\u00a0: «\u00a0${words}\u00a0».`);
const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1).replace('.', ',')}\u00a0Mo`;

const notWritable = ({ path }: PackReport, { name, nothing }: Work): Sentence => ({
  message: `Le propriétaire du site n’a pas le droit d’écrire dans ${path}. ${nothing}`,
  remedy: `Rendez ce dossier à l’utilisateur du site (chown), puis relancez ${name}.`,
});

/** Sentences by code and reason, as the PHP program reports them. */
const sentences: Record<string, (report: PackReport, work: Work) => Sentence> = {
  'no_room.before': ({ needed, free }, { name, nothing }) => ({
    message: `La sauvegarde prendrait environ ${megabytes(needed)}, et il ne reste que ${megabytes(free)} sur le disque du site. ${nothing}`,
    remedy: `Libérez de la place sur le serveur du site, puis relancez ${name}.`,
  }),
  'no_room.write': (_, { name, nothing }) => ({
    message: `Le disque du site s’est rempli, ou sa limite a été atteinte, pendant la sauvegarde. ${nothing}`,
    remedy: `Libérez de la place sur le serveur du site, puis relancez ${name}.`,
  }),
  'not_writable.absent': notWritable,
  'not_writable.folder': notWritable,
  'not_writable.link': ({ path }, { name, nothing }) => ({
    message: `${path} est un lien\u00a0: Vigie n’écrit que dans un vrai dossier du site. ${nothing}`,
    remedy: `Remplacez ce lien par un dossier (ou par un montage), puis relancez ${name}.`,
  }),
  exists: ({ path }, { name }) => ({
    message: `Une sauvegarde s’appelle déjà ${path}. Elle n’a pas été touchée.`,
    remedy: `Relancez ${name}.`,
  }),
  sqlite: (_, { nothing }) => ({
    message: `Ce site garde ses données dans SQLite\u00a0: Vigie ne sauvegarde que les sites sur MySQL ou MariaDB. ${nothing}`,
    remedy: 'Sauvegardez ses fichiers avec l’outil du serveur.',
  }),
  'database.connect': ({ words }, { name, nothing }) => ({
    message: `La base de données du site ne répond pas. ${nothing}${quoted(words)}`,
    remedy: `Vérifiez que la base fonctionne et que les réglages de wp-config.php sont bons, puis relancez ${name}.`,
  }),
  'database.table': ({ path, words }, { name, nothing }) => ({
    message: `La table ${path} ne peut pas être lue. ${nothing}${quoted(words)}`,
    remedy: `Réparez cette table (CHECK TABLE, REPAIR TABLE), puis relancez ${name}.`,
  }),
  'database.altered': ({ path }, { name, nothing }) => ({
    message: `La table ${path} a été modifiée pendant la sauvegarde. ${nothing}`,
    remedy: `Relancez ${name}.`,
  }),
  'database.query': ({ words }, { name, nothing }) => ({
    message: `La base de données du site a refusé une lecture. ${nothing}${quoted(words)}`,
    remedy: `Vérifiez les droits de l’utilisateur de la base, puis relancez ${name}.`,
  }),
  configuration: ({ words }, { name, nothing }) => ({
    message: `Le fichier wp-config.php du site arrête PHP avant que WordPress soit prêt. ${nothing}${quoted(words)}`,
    remedy: `Corrigez wp-config.php, puis relancez ${name}.`,
  }),
  no_config: (_, { name, nothing }) => ({
    message: `Le site n’a plus de fichier wp-config.php\u00a0: rien ne dit où est sa base de données. ${nothing}`,
    remedy: `Remettez ce fichier, qu’aucune sauvegarde .wpress ne contient, puis relancez ${name}.`,
  }),
  no_core: ({ path }, { name, nothing }) => ({
    message: `Il manque un fichier à WordPress\u00a0: ${path}. ${nothing}`,
    remedy: `Remettez les fichiers de cette version de WordPress, qu’aucune sauvegarde .wpress ne contient, puis relancez ${name}.`,
  }),
  'no_php.bits': (_, { nothing }) => ({
    message: `Le PHP de ce serveur est en 32\u00a0bits\u00a0: il n’écrit pas de fichier de plus de 2\u00a0Go. ${nothing}`,
    remedy: 'Installez un PHP en 64\u00a0bits.',
  }),
  'no_php.mysqli': (_, { name, nothing }) => ({
    message: `Le PHP de ce serveur n’a pas l’extension mysqli. ${nothing}`,
    remedy: `Installez-la (paquet php-mysql), puis relancez ${name}.`,
  }),
  no_php: (_, { nothing }) => ({
    message: `Le PHP du serveur ne peut plus être exécuté. ${nothing}`,
    remedy: 'Relancez le test du site\u00a0: il cherche un autre PHP.',
  }),
  owner: (_, { nothing }) => ({
    message: `Vigie ne sait pas avec quels droits lire ce site, ou ne peut pas les prendre. ${nothing}`,
    remedy: 'Relancez le test du site\u00a0: il dit ce qui manque.',
  }),
  absent: (_, { nothing }) => ({
    message: `Aucun WordPress ne se trouve dans ce dossier. ${nothing}`,
    remedy: 'Vérifiez le chemin du site.',
  }),
  late: (_, { nothing }) => ({
    message: `La sauvegarde a dépassé le temps qui lui est donné. ${nothing}`,
    remedy: 'Relancez-la à une heure plus calme, ou excluez les fichiers les plus lourds.',
  }),
  died: ({ words }, { name, nothing }) => ({
    message: `La sauvegarde s’est arrêtée avant sa fin. ${nothing}${quoted(words)}`,
    remedy: `Relancez ${name}.`,
  }),
};

export function packSentence(code: string, report: PackReport, work: Work = backup): Sentence {
  const sentence = sentences[`${code}.${report.why}`] ?? sentences[code] ?? sentences['died'];
  return sentence?.(report, work) ?? { message: work.nothing, remedy: `Relancez ${work.name}.` };
}
