import type { Response } from '../document-types';
import type { Descriptions } from './description';
import { bytesMedia } from './media';

/** A download can be resumed. */
export const partAnswers: Readonly<Record<string, Response>> = {
  206: { description: 'La partie que l’en-tête `Range` a demandée.', content: bytesMedia() },
  416: {
    description: 'Cette partie du fichier n’existe pas.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};

const busy = 'Une sauvegarde ou une autre tâche de ce site est en cours, ou la tâche a été annulée.';

export const backups: Descriptions = {
  'sites.backups.info': { summary: 'Lire où les sauvegardes d’un site sont rangées' },
  'sites.backups.list': {
    summary: 'Lister les sauvegardes d’un site',
    description: 'Celles de l’hôte, lues à l’instant, et celles que Vigie garde.',
    errors: {
      conflict: 'L’hôte n’est pas celui que Vigie connaît.',
      remote_failed: 'L’hôte ne se laisse pas lire.',
      remote_too_slow: 'L’hôte n’a pas répondu à temps.',
    },
  },
  'sites.backups.list_local': {
    summary: 'Lister les sauvegardes que Vigie garde',
    description: 'Celles de ce site d’abord.',
  },
  'sites.backups.create': {
    summary: 'Sauvegarder un site',
    description: 'Écrit une archive .wpress sur l’hôte du site, sans plugin. Rien n’est supprimé.',
    errors: { conflict: busy },
  },
  'sites.backups.download': { summary: 'Copier une sauvegarde vers Vigie', errors: { conflict: busy } },
  'sites.backups.import': { summary: 'Copier une sauvegarde de Vigie vers l’hôte', errors: { conflict: busy } },
  'sites.backups.verify': {
    summary: 'Vérifier une sauvegarde',
    description: 'Lit l’archive entière et compare ses sommes de contrôle.',
    errors: { conflict: busy },
  },
  'sites.backups.restore': {
    summary: 'Restaurer une sauvegarde',
    description:
      'Remplace le contenu du site, après une sauvegarde de sûreté. Une restauration qui échoue se défait seule. `confirm`, s’il est donné, est le mot RESTORE.',
    errors: { conflict: busy },
    request: { location: 'remote', confirm: 'RESTORE', mode: 'merge', scope: 'all', path: '' },
  },
  'sites.backups.delete': {
    summary: 'Supprimer une sauvegarde',
    description: 'Sur l’hôte ou dans Vigie, selon `location`. Sans retour.',
    errors: {
      conflict: 'Cette sauvegarde sert à une tâche en cours.',
      remote_failed: 'L’hôte a refusé la suppression.',
      remote_too_slow: 'L’hôte n’a pas répondu à temps.',
    },
  },
  'sites.backups.create_upload': {
    summary: 'Téléverser une sauvegarde',
    description: 'Une archive .wpress, dont Vigie vérifie la structure avant de la garder.',
    errors: { conflict: 'Une sauvegarde de ce nom existe déjà, ou la place manque.' },
  },
  'sites.backups.link': {
    summary: 'Créer un lien de téléchargement',
    description: 'À ouvrir dans la minute\u202f; il vaut ensuite une heure, sans porteur.',
    answer: { url: '/api/backups/files/Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q' },
  },
  'sites.backups.list_archive': {
    summary: 'Parcourir une sauvegarde',
    description: 'Un dossier de l’archive, ou avec `q` ce qui se trouve dessous. Les tables sont dans `database.sql`.',
  },
  'sites.backups.locate': {
    summary: 'Lire un fichier ou une table d’une sauvegarde',
    success: 'Le fichier, ou la table en SQL.',
    successes: partAnswers,
    media: bytesMedia,
  },
  'sites.backups.compare': { summary: 'Comparer deux sauvegardes', description: 'Avec celle que nomme `with`.' },
};
