import type { ItemKind } from '@vigie/contracts/changes';

/** What the PHP program reports about a failure, before it becomes a sentence. */
export type HostReport = { name: string; kind: ItemKind; why: string; words: string; path: string; most: string };

type Sentence = { message: string; remedy: string };

const untouched = 'Rien n’a été modifié.';
const freeSpace = 'Libérez de la place sur le serveur, puis relancez la modification.';
const giveRights = 'Rendez ces fichiers à l’utilisateur du site (chown -R), puis relancez la modification.';
const waitForEnd = 'Attendez la fin de cette opération, puis relancez la modification.';
const readDetail = 'Lisez le détail, corrigez-en la cause, puis relancez la modification.';

const quoted = (words: string) => (words === '' ? '' : ` WordPress dit\u00a0: «\u00a0${words}\u00a0».`);

const quotedDetail = (words: string) => (words === '' ? '' : ` Détail\u00a0: «\u00a0${words}\u00a0».`);

/** Sentences by code and reason, as the PHP program reports them. */
const sentences: Record<string, (report: HostReport) => Sentence> = {
  'no_room.copy': ({ name, most: max }) => ({
    message: `La copie de «\u00a0${name}\u00a0» avant modification dépasse la place permise sur ce serveur (${max}). ${untouched}`,
    remedy: freeSpace,
  }),
  'no_room.site': ({ name, most: max }) => ({
    message: `Il ne reste pas assez de place sur le disque du site pour modifier «\u00a0${name}\u00a0» (${max} libres). ${untouched}`,
    remedy: freeSpace,
  }),
  'no_room.tables': ({ most: max }) => ({
    message: `Le disque de la base de données est trop plein (${max} libres)\u00a0: un retour en arrière n’y aurait pas la place de remettre les tables. ${untouched}`,
    remedy: 'Libérez de la place sur le serveur de base de données, puis relancez la modification.',
  }),
  'no_room.inodes': () => ({
    message: `Le disque du site ne peut plus contenir assez de fichiers (inodes épuisés). ${untouched}`,
    remedy: 'Supprimez des fichiers inutiles sur le serveur (caches, sessions), puis relancez la modification.',
  }),
  'no_room.write': ({ name }) => ({
    message: `La copie de «\u00a0${name}\u00a0» n’a pas pu être écrite\u00a0: le disque est plein, ou sa limite est atteinte. ${untouched}`,
    remedy: freeSpace,
  }),
  'wordpress_busy.lock': () => ({
    message: `WordPress est déjà en train de mettre quelque chose à jour sur ce site. ${untouched}`,
    remedy: waitForEnd,
  }),
  'wordpress_busy.maintenance': () => ({
    message: `Le site est en maintenance\u00a0: une mise à jour y est en cours, ou vient d’être interrompue (fichier .maintenance). ${untouched}`,
    remedy: 'Attendez dix minutes, ou supprimez le fichier .maintenance si plus rien n’est en cours, puis relancez.',
  }),
  'wordpress_busy.changed': ({ name }) => ({
    message: `Quelqu’un d’autre a modifié «\u00a0${name}\u00a0» au même moment. ${untouched}`,
    remedy: 'Relisez le site, puis relancez la modification si elle est encore utile.',
  }),
  'changes_forbidden.setting': () => ({
    message: `La configuration du site interdit de modifier ses fichiers (DISALLOW_FILE_MODS). ${untouched}`,
    remedy: 'Retirez ce réglage de wp-config.php, ou passez par l’outil qui déploie ce site.',
  }),
  'changes_forbidden.composer': () => ({
    message: `Ce site est géré par Composer\u00a0: son prochain déploiement effacerait la modification. ${untouched}`,
    remedy: 'Modifiez les versions dans composer.json, puis déployez le site.',
  }),
  'changes_forbidden.link': ({ path }) => ({
    message: `${path} est un lien vers un autre dossier, que d’autres peuvent utiliser. ${untouched}`,
    remedy: 'Faites la modification là où se trouve ce dossier, avec l’outil qui l’a installé.',
  }),
  'changes_forbidden.rights': ({ path }) => ({
    message: `Le propriétaire du site n’a pas le droit de modifier ${path}. ${untouched}`,
    remedy: giveRights,
  }),
  'changes_forbidden.special': ({ path }) => ({
    message: `${path} n’est ni un fichier, ni un dossier, ni un lien\u00a0: il ne peut pas être mis de côté. ${untouched}`,
    remedy: 'Retirez-le de ce dossier, puis relancez la modification.',
  }),
  'changes_forbidden.owner': () => ({
    message: `Les fichiers de ce site appartiennent à root, ou à plusieurs comptes\u00a0: Vigie ne sait pas avec quels droits les modifier. ${untouched}`,
    remedy: 'Donnez les fichiers du site à un seul compte (chown -R), ou connectez-vous avec ce compte.',
  }),
  licence_required: ({ name }) => ({
    message: `L’éditeur de «\u00a0${name}\u00a0» ne donne cette mise à jour qu’avec une licence valable. ${untouched}`,
    remedy:
      'Saisissez la licence dans l’administration du site, ou téléversez l’archive depuis votre compte chez l’éditeur.',
  }),
  'licence_required.shop': ({ name, words }) => ({
    message: `L’éditeur de «\u00a0${name}\u00a0» refuse de donner cette mise à jour.${quoted(words)} ${untouched}`,
    remedy:
      'Saisissez la licence dans l’administration du site, ou téléversez l’archive depuis votre compte chez l’éditeur.',
  }),
  download_failed: ({ name, words }) => ({
    message: `L’archive de «\u00a0${name}\u00a0» n’a pas pu être téléchargée.${quoted(words)} ${untouched}`,
    remedy: 'Vérifiez que le serveur atteint le site de l’éditeur, puis relancez la mise à jour.',
  }),
  nothing_to_do: ({ name }) => ({
    message: `«\u00a0${name}\u00a0» est déjà comme demandé. ${untouched}`,
    remedy: 'Relisez le site pour voir son état.',
  }),
  'refused_by_wordpress.no_offer': ({ name }) => ({
    message: `WordPress ne propose pas cette mise à jour de «\u00a0${name}\u00a0». ${untouched}`,
    remedy: 'Relisez le site pour connaître les mises à jour proposées, puis recommencez.',
  }),
  'refused_by_wordpress.other_offer': ({ name, words }) => ({
    message: `La version proposée de «\u00a0${name}\u00a0» a changé entre-temps (${words}). ${untouched}`,
    remedy: 'Relisez le site, puis demandez la version qui est proposée maintenant.',
  }),
  'refused_by_wordpress.absent': ({ name }) => ({
    message: `«\u00a0${name}\u00a0» n’est pas sur ce site. ${untouched}`,
    remedy: 'Relisez le site pour voir ce qui y est installé.',
  }),
  'refused_by_wordpress.single': ({ name }) => ({
    message: `«\u00a0${name}\u00a0» est un plugin d’un seul fichier\u00a0: sa mise à jour le remplace par un dossier, et Vigie ne saurait pas revenir en arrière. ${untouched}`,
    remedy: 'Installez l’archive de ce plugin, activez-la, puis supprimez le fichier.',
  }),
  'refused_by_wordpress.folder': ({ words }) => ({
    message: `L’archive contient un autre dossier que celui qui était attendu («\u00a0${words}\u00a0»). ${untouched}`,
    remedy: 'Vérifiez l’archive\u00a0: son dossier doit porter l’identifiant de l’extension.',
  }),
  'refused_by_wordpress.package': () => ({
    message: `L’archive est arrivée abîmée sur le serveur. ${untouched}`,
    remedy: 'Relancez l’installation\u00a0: l’archive est envoyée de nouveau.',
  }),
  'refused_by_wordpress.fatal': ({ name, words, path }) => ({
    message: `«\u00a0${name}\u00a0» n’a pas pu être chargée\u00a0: ${words}${path === '' ? '' : ` (${path})`}. ${untouched}`,
    remedy: 'Choisissez une version qui convient à ce PHP et à ce WordPress, ou demandez à son éditeur.',
  }),
  'refused_by_wordpress.start': ({ words, path }) => ({
    message: `WordPress ne démarre pas sur ce site\u00a0: ${words}${path === '' ? '' : ` (${path})`}. ${untouched}`,
    remedy: 'Réparez d’abord le site («\u00a0Site cassé\u00a0?»), puis relancez la modification.',
  }),
  'refused_by_wordpress.words': ({ name, words }) => ({
    message: `WordPress refuse de modifier «\u00a0${name}\u00a0».${quoted(words)} ${untouched}`,
    remedy: readDetail,
  }),
  'failed.words': ({ name, words }) => ({
    message: `La modification de «\u00a0${name}\u00a0» a échoué en route.${quoted(words)}`,
    remedy: readDetail,
  }),
  'failed.fatal': ({ name, words, path }) => ({
    message: `Pendant la modification de «\u00a0${name}\u00a0», PHP s’est arrêté\u00a0: ${words}${path === '' ? '' : ` (${path})`}.`,
    remedy: readDetail,
  }),
  'failed.version': ({ name, words, most: max }) => ({
    message: `«\u00a0${name}\u00a0» n’est pas à la version attendue après la modification\u00a0: ${words} au lieu de ${max}.`,
    remedy: 'Demandez à l’éditeur pourquoi son archive ne contient pas la version annoncée.',
  }),
  'failed.left': ({ path }) => ({
    message: `La modification a laissé ${path} derrière elle.`,
    remedy: readDetail,
  }),
  'interrupted.died': ({ name }) => ({
    message: `La modification de «\u00a0${name}\u00a0» s’est arrêtée avant sa fin sur le serveur.`,
    remedy: 'Vérifiez la mémoire et la charge du serveur, puis relancez la modification.',
  }),
  'interrupted.late': ({ name, most: max }) => ({
    message: `La modification de «\u00a0${name}\u00a0» a dépassé le temps permis (${max}).`,
    remedy: 'Vérifiez la charge du serveur et sa connexion à Internet, puis relancez la modification.',
  }),
  'not_rolled_back.copy': ({ name }) => ({
    message: `La copie de «\u00a0${name}\u00a0» est incomplète ou abîmée\u00a0: elle n’est pas utilisée.`,
    remedy: 'Réinstallez cet élément depuis son archive, ou restaurez une sauvegarde du site.',
  }),
  'not_rolled_back.room': ({ name }) => ({
    message: `La copie de «\u00a0${name}\u00a0» est sur le serveur, mais il n’y a pas assez de place pour la remettre\u00a0: l’élément est resté tel quel.`,
    remedy: 'Libérez de la place sur le serveur, puis revenez à la version précédente.',
  }),
  'not_rolled_back.late': () => ({
    message:
      'la base de données reviendrait en même temps à ce qu’elle était il y a plus de dix minutes, et tout ce qui y a été écrit depuis serait perdu. Vigie ne le fait pas sans vous.',
    remedy:
      'Si vous acceptez cette perte, revenez vous-même à la version précédente depuis la page du site\u202f; sinon, corrigez le site tel qu’il est.',
  }),
  'not_rolled_back.held': ({ name }) => ({
    message: `Les tables de «\u00a0${name}\u00a0» n’ont pas pu être remises en place\u00a0: une autre opération sur la base (une sauvegarde, par exemple) les retient. Les fichiers et les tables sont restés ceux de la nouvelle version.`,
    remedy: 'Attendez la fin de cette opération, puis revenez à la version précédente.',
  }),
  'not_rolled_back.place': ({ name, path }) => ({
    message: `La copie de «\u00a0${name}\u00a0» n’a pas pu être remise en place (${path}).`,
    remedy: 'Libérez de la place, vérifiez les droits du dossier, puis recommencez.',
  }),
  'not_rolled_back.options': ({ name, words }) => ({
    message: `Les fichiers de «\u00a0${name}\u00a0» sont en place, mais WordPress n’a pas pu reprendre ses réglages\u00a0: ${words}.`,
    remedy: 'Vérifiez dans l’administration du site ce qui est activé.',
  }),
  'copy_gone.moved': ({ name, path }) => ({
    message: `La copie de «\u00a0${name}\u00a0» est celle d’un dossier (${path}) qui n’est plus celui du site. ${untouched}`,
    remedy: 'Installez cette version depuis son archive, ou restaurez une sauvegarde du site.',
  }),
  stopped: ({ name }) => ({
    message: `La modification de «\u00a0${name}\u00a0» a été arrêtée avant d’avoir commencé. ${untouched}`,
    remedy: 'Relancez-la quand vous le voulez.',
  }),
  copy_gone: ({ name }) => ({
    message: `La copie de la version précédente de «\u00a0${name}\u00a0» n’est plus sur le serveur. ${untouched}`,
    remedy: 'Installez cette version depuis son archive, ou restaurez une sauvegarde du site.',
  }),
  'database.absent': ({ path }) => ({
    message: `La base de données du site n’a pas de table ${path}\u00a0: ses tables ne pourraient pas être mises de côté. ${untouched}`,
    remedy: 'Vérifiez le préfixe des tables ($table_prefix) dans wp-config.php, puis recommencez.',
  }),
  'database.triggers': ({ words }) => ({
    message: `Les tables du site ont des déclencheurs (triggers) que l’utilisateur de la base n’a pas le droit de recréer\u00a0: un retour arrière les perdrait. ${untouched}${quotedDetail(words)}`,
    remedy:
      'Donnez le droit TRIGGER à cet utilisateur, ou activez log_bin_trust_function_creators sur le serveur de base de données, puis recommencez.',
  }),
  'database.long': ({ most: max }) => ({
    message: `Une ligne de la base est plus longue que ce que son serveur accepte d’un coup (${max})\u00a0: un retour arrière ne pourrait pas la ramener. ${untouched}`,
    remedy: 'Augmentez max_allowed_packet sur le serveur de base de données, puis recommencez.',
  }),
  database: ({ words }) => ({
    message: `La base de données du site n’a pas répondu comme il le faut.${quotedDetail(words)}`,
    remedy: 'Vérifiez que la base fonctionne et que les réglages de wp-config.php sont bons, puis recommencez.',
  }),
  sql: ({ path, words }) => ({
    message: `La base du site a refusé la table ${path}.${quotedDetail(words)}`,
    remedy: 'Vérifiez la version de la base et les droits de son utilisateur, puis recommencez.',
  }),
  configuration: ({ words }) => ({
    message: `La configuration du site (wp-config.php) n’a pas pu être lue.${quotedDetail(words)}`,
    remedy: 'Corrigez ce fichier, puis recommencez.',
  }),
  no_php: () => ({
    message: `Le PHP du site ne peut plus être exécuté. ${untouched}`,
    remedy: 'Relancez le test du site\u00a0: il cherche un autre PHP.',
  }),
};

export function failureSentence(code: string, report: HostReport): Sentence {
  const fallback = {
    message: `La modification de «\u00a0${report.name}\u00a0» n’a pas pu être faite (${code}).`,
    remedy: readDetail,
  };
  return (sentences[`${code}.${report.why}`] ?? sentences[code] ?? sentences[`${code}.words`])?.(report) ?? fallback;
}

const steps: Record<string, string> = {
  checks: 'Vérifications',
  refresh: 'Recherche de la mise à jour',
  aside: 'Mise de côté de la version actuelle',
  tables: 'Mise de côté de la base de données',
  download: 'Téléchargement',
  unpack: 'Décompression',
  change: 'Modification',
  database: 'Mise à niveau de la base de données',
  verify: 'Lecture des versions installées',
  back: 'Remise en place de la copie',
  'tables-back': 'Remise en place de la base de données',
  options: 'Reprise des réglages',
};

export const stepTitle = (step: string) => steps[step] ?? 'Modification';
