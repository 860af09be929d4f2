import type { Descriptions } from './description';
import { csvMedia } from './media';

export const sites: Descriptions = {
  'sites.sites.list': {
    summary: 'Lister les sites',
    description:
      'Sans `limit`\u00a0: tous. `q` cherche des mots et comprend des filtres, comme `maj:oui php:<8.2 groupe:clients`.',
  },
  'sites.sites.list_ids': {
    summary: 'Lister les identifiants des sites',
    description: 'Pour en choisir plus qu’une page.',
  },
  'sites.sites.explain_search': {
    summary: 'Expliquer une recherche sans résultat',
    description: 'Nomme les filtres qui ne désignent rien, et les noms qui s’en approchent.',
  },
  'sites.sites.read': {
    summary: 'Lire un site',
    description: 'Avec ses plugins et ses thèmes, d’après le dernier passage.',
  },
  'sites.sites.create': {
    summary: 'Ajouter un site',
    description:
      'L’enregistre dans Vigie, sans rien changer sur l’hôte. Une session seule peut donner un mot de passe ou une clé.',
    request: {
      name: 'Boutique Martin',
      url: 'https://boutique.exemple.fr',
      groups: ['01932c07-3c30-7d33-8c60-8b3d4e5f6071'],
      connection: {
        method: 'ssh',
        ssh: { server_id: '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21', wp_path: '/var/www/boutique' },
      },
    },
  },
  'sites.sites.edit': {
    summary: 'Modifier un site',
    description: 'Un champ absent ne change pas, null l’efface, un secret vide garde l’actuel.',
    errors: { conflict: 'Vous ne verriez plus ce site, ou sa connexion ne peut pas changer ainsi.' },
    request: { name: 'Boutique Martin', groups: ['01932c07-3c30-7d33-8c60-8b3d4e5f6071'] },
  },
  'sites.sites.delete': {
    summary: 'Retirer un site de Vigie',
    description: 'Ses fichiers restent sur l’hôte. Ses archives dans Vigie restent 30 jours.',
  },
  'sites.sites.trust': {
    summary: 'Accepter la clé de l’hôte d’un site',
    errors: { conflict: 'Ce site passe par un serveur, ou la clé présentée est une autre.' },
  },
  'sites.sites.test': {
    summary: 'Tester la connexion d’un site',
    description: 'Vérifie chaque étape, de la connexion à l’écriture, et relit le site.',
  },
  'sites.sites.test_all': {
    summary: 'Tester plusieurs sites',
    description: 'Sans `ids`\u00a0: tous ceux que l’on voit.',
  },
  'sites.sites.http_status': {
    summary: 'Lire ce qu’un site répond aux visiteurs',
    description: 'D’après une visite de moins de cinq minutes, ou une nouvelle.',
  },
  'sites.sites.inventory': {
    summary: 'Lire l’inventaire d’un site',
    description:
      'Avec `fresh=1`, une tâche démarre WordPress et relit tout\u00a0: le jeton a alors besoin du droit `update`, et la réponse peut être un ticket (202).',
    success: 'L’inventaire connu.',
  },
  'sites.site-csv.export': {
    summary: 'Exporter les sites d’un filtre en CSV',
    success: 'Un fichier CSV en UTF-8, sans limite de longueur.',
    media: csvMedia('Nom;Adresse\r\nBoutique Martin;https://boutique.exemple.fr\r\n'),
  },
  'sites.site-csv.export_chosen': {
    summary: 'Exporter des sites choisis en CSV',
    success: 'Un fichier CSV en UTF-8.',
    media: csvMedia('Nom;Adresse\r\nBoutique Martin;https://boutique.exemple.fr\r\n'),
  },
  'sites.site-csv.preview': {
    summary: 'Prévoir un import de CSV',
    description: 'Dit ce que deviendrait chaque ligne, et n’écrit rien.',
  },
  'sites.site-csv.import': {
    summary: 'Importer des lignes d’un CSV',
    description: 'Crée les sites et les groupes qui manquent\u202f; les lignes connues ou refusées sont laissées.',
  },
  'sites.site-discovery.discover': {
    summary: 'Chercher les sites d’un serveur',
    description: 'Parcourt les dossiers habituels, et celui de `folder`. Ne crée rien.',
  },
  'sites.site-discovery.import': {
    summary: 'Importer les sites trouvés',
    description: 'Ceux dont Vigie connaît déjà le dossier sont laissés.',
  },
  'sites.site_views.list': { summary: 'Lister ses vues' },
  'sites.site_views.create': {
    summary: 'Enregistrer une vue',
    errors: { conflict: 'Ce nom est déjà pris, ou vous avez trop de vues.' },
  },
  'sites.site_views.edit': {
    summary: 'Modifier une vue',
    description: 'Un champ absent ne change pas.',
    errors: { conflict: 'Une autre de vos vues porte ce nom.' },
  },
  'sites.site_views.delete': { summary: 'Supprimer une vue' },
};

export const groups: Descriptions = {
  'sites.groups.list': { summary: 'Lister les groupes' },
  'sites.groups.create': { summary: 'Créer un groupe' },
  'sites.groups.edit': {
    summary: 'Modifier un groupe',
    description: 'Un champ absent ne change pas, null l’efface.',
    errors: { conflict: 'Le groupe serait son propre parent, ou sous lui-même.' },
  },
  'sites.groups.delete': {
    summary: 'Supprimer un groupe',
    description: 'Ses sous-groupes remontent d’un niveau\u202f; ses sites et serveurs le quittent seulement.',
  },
};

export const batches: Descriptions = {
  'sites.site_batches.plan': {
    summary: 'Prévoir une action sur plusieurs sites',
    description: 'D’après ce que Vigie sait déjà, sans contacter d’hôte.',
    request: { verb: 'backup', ids: ['01932c07-1b20-7c22-9b5f-7a2c3d4e5f60'] },
  },
  'sites.site_batches.backup': {
    summary: 'Sauvegarder plusieurs sites',
    description: 'Une tâche par site\u202f; un site qui ne peut pas l’être est une ligne en échec du lot.',
    errors: { conflict: 'Aucun de ces sites ne peut être sauvegardé maintenant.' },
  },
  'sites.site_batches.group': {
    summary: 'Ranger plusieurs sites dans un groupe',
    description: 'Ou les en retirer. Tous changent, ou aucun.',
    errors: { conflict: 'Vous ne verriez plus l’un de ces sites.' },
  },
  'sites.site_batches.delete': {
    summary: 'Retirer plusieurs sites de Vigie',
    description: 'Leurs fichiers restent sur leurs hôtes. Tous partent, ou aucun.',
  },
  'sites.site_commands.plan': {
    summary: 'Prévoir une commande sur plusieurs sites',
    description:
      'Dit sur quels sites elle s’exécuterait, et pourquoi pas sur les autres, d’après ce que Vigie sait déjà. Ne contacte aucun hôte.',
  },
  'sites.site_commands.run': {
    summary: 'Exécuter une commande sur plusieurs sites',
    description:
      'Une tâche par site, dans le dossier du site et sous le compte qui le possède. La commande reste dans le journal d’audit\u00a0: n’y mettez pas de mot de passe. Elle n’est jamais exécutée deux fois, et ce qu’elle change ne s’annule pas.',
    errors: { conflict: 'Les sites sur lesquels elle s’exécuterait ne sont plus ceux du plan.' },
  },
  'sites.site-repairs.look': {
    summary: 'Chercher pourquoi un site ne répond plus',
    description: 'Ne change rien sur le site.',
  },
  'sites.site-repairs.apply': {
    summary: 'Réparer un site',
    description:
      'Met de côté le coupable, le remet en place, ou lève la maintenance\u202f; rien n’est supprimé. Relit ensuite le site.',
  },
};

const refusedChange =
  'Le changement est refusé\u00a0: site occupé, place ou licence manquante, élément absent ou site qui interdit les changements\u202f; ou la tâche a été annulée.';
const refusedBatch = 'Un site est occupé ou interdit les changements.';

export const changes: Descriptions = {
  'sites.changes.plan_updates': {
    summary: 'Prévoir des mises à jour',
    description: 'Toutes celles qui attendent, ou celles des éléments donnés. N’écrit rien.',
  },
  'sites.changes.apply_updates': {
    summary: 'Mettre à jour les lignes choisies d’un plan',
    description: 'Un lot d’une tâche par élément. Un site qui en souffre est remis comme avant.',
    errors: { conflict: refusedBatch },
  },
  'sites.changes.update_items': {
    summary: 'Mettre à jour plusieurs éléments d’un site',
    errors: { conflict: refusedBatch },
  },
  'sites.changes.update': {
    summary: 'Mettre à jour un élément',
    summaries: {
      'POST /api/sites/:id/plugins/update': 'Mettre à jour un plugin',
      'POST /api/sites/:id/themes/update': 'Mettre à jour un thème',
      'POST /api/sites/:id/core/update': 'Mettre à jour WordPress',
    },
    description: 'Vigie garde d’abord une copie, et la remet si le site en souffre.',
    errors: { conflict: refusedChange },
  },
  'sites.changes.plan_installs': { summary: 'Prévoir l’installation d’une archive', description: 'N’écrit rien.' },
  'sites.changes.apply_installs': {
    summary: 'Installer une archive sur plusieurs sites',
    errors: { conflict: refusedBatch },
  },
  'sites.changes.install': {
    summary: 'Installer une archive',
    summaries: {
      'POST /api/sites/:id/plugins/install': 'Installer un plugin téléversé',
      'POST /api/sites/:id/themes/install': 'Installer un thème téléversé',
    },
    description: 'Remplace la version en place, dont une copie est gardée.',
    errors: { conflict: refusedChange },
  },
  'sites.changes.activate': {
    summary: 'Activer un élément',
    summaries: {
      'POST /api/sites/:id/plugins/activate': 'Activer un plugin',
      'POST /api/sites/:id/themes/activate': 'Activer un thème',
    },
    description: 'Si le site en souffre, l’activation est défaite.',
    errors: { conflict: refusedChange },
  },
  'sites.changes.deactivate': { summary: 'Désactiver un plugin', errors: { conflict: refusedChange } },
  'sites.changes.restore': {
    summary: 'Revenir à la version précédente',
    summaries: {
      'POST /api/sites/:id/plugins/restore': 'Revenir à la version précédente d’un plugin',
      'POST /api/sites/:id/themes/restore': 'Revenir à la version précédente d’un thème',
      'POST /api/sites/:id/core/restore': 'Revenir à la version précédente de WordPress',
    },
    description: 'Les copies sont gardées sept jours. La version actuelle est copiée d’abord.',
    errors: { conflict: 'Aucune version précédente n’est gardée, ou le site est occupé.' },
  },
};

export const plugins: Descriptions = {
  'sites.plugins.read': {
    summary: 'Lister les plugins de tous les sites',
    description: 'D’après les derniers passages\u202f; `fresh=1` en lance aussi de nouveaux.',
  },
  'sites.plugins.read_sites': { summary: 'Lister les sites qui ont un plugin' },
  'sites.plugins.retry_failures': {
    summary: 'Tester les sites dont la lecture a échoué',
    errors: { conflict: 'Ces tests ne peuvent pas être lancés maintenant.' },
  },
  'sites.plugins.export': {
    summary: 'Exporter les plugins en CSV',
    success: 'Un fichier CSV en UTF-8.',
    media: csvMedia('Plugin;Site\r\nWooCommerce;Boutique Martin\r\n'),
  },
};

export const proposals: Descriptions = {
  'sites.proposals.list': {
    summary: 'Lister les propositions des assistants',
    description: 'Les siennes, et celles dont on peut exploiter tous les sites, de la plus récente à la plus ancienne.',
  },
  'sites.proposals.read': {
    summary: 'Lire une proposition',
    description:
      'Avec le plan tel que l’assistant l’a vu. Le motif est ce que l’assistant a écrit\u00a0: personne ne l’a vérifié.',
  },
  'sites.proposals.confirm': {
    summary: 'Exécuter une proposition',
    description:
      'Une seule fois, dans l’heure, avec les droits de la personne qui confirme. Si la réponse se perd, la même personne peut recommencer\u00a0: rien ne se fait deux fois.',
    errors: { conflict: 'Elle n’est plus ouverte, ou ce qu’elle prévoyait a changé\u00a0: rien n’a été lancé.' },
  },
  'sites.proposals.reject': {
    summary: 'Refuser une proposition',
    description: 'Elle ne pourra plus être exécutée.',
    errors: { conflict: 'Elle n’est plus ouverte.' },
  },
};

export const uploads: Descriptions = {
  'sites.uploads.list': { summary: 'Lister les archives téléversées' },
  'sites.uploads.create': {
    summary: 'Téléverser une archive',
    summaries: {
      'POST /api/uploads/plugins': 'Téléverser un plugin',
      'POST /api/uploads/themes': 'Téléverser un thème',
    },
    description: 'Une archive .zip de 512\u00a0Mo au plus, que Vigie vérifie avant de la garder.',
    errors: {
      conflict: 'Une archive de ce nom existe déjà (`replace=1` la remplace), ou la place manque.',
      too_large: 'L’archive dépasse 512\u00a0Mo.',
    },
  },
  'sites.uploads.delete': {
    summary: 'Supprimer une archive',
    summaries: {
      'DELETE /api/uploads/plugins/:filename': 'Supprimer l’archive d’un plugin',
      'DELETE /api/uploads/themes/:filename': 'Supprimer l’archive d’un thème',
    },
    description: 'Les sites où elle est installée ne changent pas. Sans retour.',
    errors: { conflict: 'Plusieurs personnes ont un fichier de ce nom (donnez `id`), ou une tâche s’en sert.' },
  },
};
