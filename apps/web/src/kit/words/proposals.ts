import type { ProposalItem } from '@vigie/contracts/proposals';
import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { plural } from '../../ui/plural';

type Titled = Pick<ProposalItem, 'order' | 'sites' | 'lines'>;

const titles: Readonly<Record<ProposedOrder, (proposal: Titled) => string>> = {
  updates: ({ sites, lines }) =>
    `Mettre à jour ${plural(lines, 'élément', 'éléments')} sur ${plural(sites, 'site', 'sites')}`,
  backups: ({ sites }) => `Sauvegarder ${plural(sites, 'site', 'sites')}`,
  restore: () => 'Restaurer un site',
  rollback: () => 'Revenir à la version précédente d’un élément',
  repair: () => 'Réparer un site',
};

/** What a proposal would do. */
export const proposalTitle = (proposal: Titled): string => titles[proposal.order](proposal);
