import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { deleteSite, editSite, type SiteItem, testSite } from '@vigie/contracts/sites';
import { EllipsisVertical, Eye, Pencil, PlugZap, Trash2 } from 'lucide-react';
import { allows } from '../../kit/fleet/roles';
import { Dropdown } from '../../ui/Dropdown';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { MenuItems } from '../../ui/MenuItems';

export type RowActionHandlers = {
  test: (site: SiteItem) => void;
  edit: (site: SiteItem) => void;
  remove: (site: SiteItem) => void;
};

type Props = { site: SiteItem; actions: RowActionHandlers };

const verbs = [
  { call: testSite, action: 'test', icon: PlugZap, label: 'Tester', what: 'Tester la connexion à' },
  { call: editSite, action: 'edit', icon: Pencil, label: 'Modifier', what: 'Modifier' },
  { call: deleteSite, action: 'remove', icon: Trash2, label: 'Supprimer', what: 'Supprimer' },
] as const;

/** What the caller may do with the site. */
const verbsOf = ({ site, actions }: Props) =>
  verbs
    .filter(({ call }) => allows(site, call))
    .map(({ action, icon, label, what }) => ({
      icon,
      label,
      name: `${what} ${site.name}`,
      run: () => actions[action](site),
    }));

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
export function RowMenu(props: Props) {
  const items = verbsOf(props);
  if (items.length === 0) return null;
  return (
    <Dropdown label={`Actions sur ${props.site.name}`} icon={EllipsisVertical} isIcon>
      {(close) => <MenuItems items={items} close={close} />}
    </Dropdown>
  );
}
