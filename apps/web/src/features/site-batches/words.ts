import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { plural } from '../../ui/plural';

const sites = (count: number) => plural(count, 'site', 'sites');

type BatchTexts = {
  title: (count: number) => string;
  /** The label of the confirm button. */
  action: string;
  /** What will happen to every site. */
  notes: readonly string[];
  done: (count: number, groupName: string) => string;
};

export const batchTexts: Readonly<Record<SiteBatchVerb, BatchTexts>> = {
  test: {
    title: (count) => `Tester ${sites(count)}`,
    action: 'Tester',
    notes: ['Vigie se connecte à chaque site et le lit, sans rien y changer.'],
    done: (count) => `Test de ${sites(count)} lancé.`,
  },
  backup: {
    title: (count) => `Sauvegarder ${sites(count)}`,
    action: 'Sauvegarder',
    notes: [
      'Chaque site est sauvegardé (fichiers et base de données) dans son propre dossier de sauvegardes.',
      'Vigie sauvegarde un site à la fois par serveur, et passe ceux qui n’ont pas assez de place.',
    ],
    done: (count) => `Sauvegarde de ${sites(count)} lancée.`,
  },
  join: {
    title: (count) => `Ajouter ${sites(count)} à un groupe`,
    action: 'Ajouter',
    notes: ['Ces sites gardent leurs autres groupes.'],
    done: (count, groupName) => `${sites(count)} dans le groupe ${groupName}.`,
  },
  leave: {
    title: (count) => `Retirer ${sites(count)} d’un groupe`,
    action: 'Retirer',
    notes: ['Aucun site n’est supprimé. Un site qui est dans un sous-groupe y reste.'],
    done: (count, groupName) => `${sites(count)} hors du groupe ${groupName}.`,
  },
  delete: {
    title: (count) => `Supprimer ${sites(count)}\u202f?`,
    action: 'Supprimer',
    notes: [
      'Vigie oubliera ces sites\u00a0: leur inventaire, leurs secrets de connexion, leurs relevés et leur lien DNS.',
      'Aucun fichier n’est touché sur les hôtes. Les sites restent en ligne\u202f; leurs sauvegardes locales sont gardées 30\u00a0jours.',
    ],
    done: (count) => `${sites(count)} ${count > 1 ? 'supprimés' : 'supprimé'}.`,
  },
};
