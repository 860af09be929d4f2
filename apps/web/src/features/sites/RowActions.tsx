import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteItem } from '@vigie/contracts/sites';
import { EllipsisVertical, Eye, Pencil, PlugZap, Trash2 } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { MenuItems } from '../../ui/MenuItems';

export type RowActionHandlers = {
  test: (site: SiteItem) => void;
  edit: (site: SiteItem) => void;
  remove: (site: SiteItem) => void;
};

type Props = { site: SiteItem; actions: RowActionHandlers };

const verbsOf = ({ site, actions }: Props) => [
  { icon: PlugZap, label: 'Tester', name: `Tester la connexion à ${site.name}`, run: () => actions.test(site) },
  { icon: Pencil, label: 'Modifier', name: `Modifier ${site.name}`, run: () => actions.edit(site) },
  { icon: Trash2, label: 'Supprimer', name: `Supprimer ${site.name}`, run: () => actions.remove(site) },
];

export const RowActions = (props: Props) => (
  <Group gap={0} wrap="nowrap">
    <Link
      to="/sites/$siteId"
      params={{ siteId: props.site.id }}
      search={{}}
      aria-label={`Voir ${props.site.name}`}
      data-edge
      className={iconButtonClass ?? ''}
    >
      <Eye size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    {verbsOf(props).map(({ icon, name, run }) => (
      <IconButton key={name} isAtEdge icon={icon} label={name} onClick={run} />
    ))}
  </Group>
);

/** The actions of a card, which has no room for their buttons. */
export const RowMenu = (props: Props) => (
  <Dropdown label={`Actions sur ${props.site.name}`} icon={EllipsisVertical} isIcon>
    {(close) => <MenuItems items={verbsOf(props)} close={close} />}
  </Dropdown>
);
