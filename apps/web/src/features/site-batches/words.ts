import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { plural } from '../../ui/plural';

const sites = (count: number) => plural(count, 'site', 'sites');

type Said = {
  title: (count: number) => string;
  /** On the button that does it. */
  action: string;
  /** What will happen, in sentences that hold for all of them. */
  what: readonly string[];
  done: (count: number, group: string) => string;
  failed: string;
};

export const words: Readonly<Record<SiteBatchVerb, Said>> = {
  test: {
    title: (count) => `Tester ${sites(count)}`,
    action: 'Tester',
    what: ['Vigie se connecte à chaque site et le lit, pas à pas. Rien n’y est changé.'],
    done: (count) => `Test de ${sites(count)} lancé.`,
    failed: 'Les tests n’ont pas pu être lancés.',
  },
  backup: {
    title: (count) => `Sauvegarder ${sites(count)}`,
    action: 'Sauvegarder',
    what: [
      'Une archive de chaque site (fichiers et base de données) est faite dans son propre dossier de sauvegardes.',
      'Un site à la fois par serveur\u202f; un site sans la place qu’il faut n’est pas touché.',
    ],
    done: (count) => `Sauvegarde de ${sites(count)} lancée.`,
    failed: 'Échec du backup.',
  },
  join: {
    title: (count) => `Ajouter ${sites(count)} à un groupe`,
    action: 'Ajouter',
    what: ['Les autres groupes de ces sites restent les leurs.'],
    done: (count, group) => `${sites(count)} dans le groupe ${group}.`,
    failed: 'Les sites n’ont pas pu être ajoutés au groupe.',
  },
  leave: {
    title: (count) => `Retirer ${sites(count)} d’un groupe`,
    action: 'Retirer',
    what: ['Aucun site n’est supprimé. Un site qui est dans un sous-groupe y reste.'],
    done: (count, group) => `${sites(count)} hors du groupe ${group}.`,
    failed: 'Les sites n’ont pas pu être retirés du groupe.',
  },
  delete: {
    title: (count) => `Supprimer ${sites(count)}\u202f?`,
    action: 'Supprimer',
    what: [
      'Vigie oubliera ces sites\u00a0: leur inventaire, leurs secrets de connexion, leurs relevés et leur lien DNS.',
      'Aucun fichier n’est touché sur les hôtes. Les sites restent en ligne\u202f; leurs sauvegardes locales sont gardées 30\u00a0jours.',
    ],
    done: (count) => `${sites(count)} ${count > 1 ? 'supprimés' : 'supprimé'}.`,
    failed: 'Échec de la suppression.',
  },
};
