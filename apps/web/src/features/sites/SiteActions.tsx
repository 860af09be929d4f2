import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteItem } from '@vigie/contracts/sites';
import { Eye, Pencil, PlugZap, Trash2 } from 'lucide-react';
import { IconButton, iconButtonClass } from '../../ui/IconButton';

export type SiteActionHandlers = {
  test: (site: SiteItem) => void;
  edit: (site: SiteItem) => void;
  remove: (site: SiteItem) => void;
};

export const SiteActions = ({ site, actions }: { site: SiteItem; actions: SiteActionHandlers }) => (
  <Group gap={0} wrap="nowrap">
    <Link
      to="/sites/$siteId"
      params={{ siteId: site.id }}
      search={{}}
      aria-label={`Voir ${site.name}`}
      data-edge
      className={iconButtonClass ?? ''}
    >
      <Eye size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    <IconButton
      isAtEdge
      icon={PlugZap}
      label={`Tester la connexion à ${site.name}`}
      onClick={() => actions.test(site)}
    />
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${site.name}`} onClick={() => actions.edit(site)} />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${site.name}`} onClick={() => actions.remove(site)} />
  </Group>
);
