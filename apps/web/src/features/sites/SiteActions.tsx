import { Button, type ButtonProps } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { createGrant } from '@vigie/contracts/grants';
import { changeOwner } from '@vigie/contracts/owner-changes';
import { runCommand } from '@vigie/contracts/site-commands';
import { checkForRepairs } from '@vigie/contracts/site-repairs';
import { inspectSite } from '@vigie/contracts/site-inventory';
import { deleteSite, editSite, type Site } from '@vigie/contracts/sites';
import {
  Ellipsis,
  ExternalLink,
  Pencil,
  RefreshCw,
  Share2,
  SquareChevronRight,
  SquareTerminal,
  Trash2,
  UserRoundPen,
} from 'lucide-react';
import { allows } from '../../kit/fleet/roles';
import { useIsAdmin } from '../../kit/fleet/users';
import { Dropdown } from '../../ui/Dropdown';
import { type MenuItem, MenuItems } from '../../ui/MenuItems';
import { useNarrow } from '../../ui/useNarrow';
import { changeSearch } from '../../kit/list/search-params';
import { adminUrl } from './admin-url';
import { RepairsLink } from './ProblemCard';
import type { SiteSearch } from './search';
import type { useSiteCheck } from './useSiteCheck';
import { isBroken } from './words';

const icon = { size: 16, 'aria-hidden': true } as const;
const inBar: ButtonProps = { variant: 'default' };
const inMenu: ButtonProps = { variant: 'subtle', fullWidth: true, justify: 'flex-start', c: 'var(--text)' };

/** Opens the server's console in the folder of the site, and where the user sees no server that of the site. */
function ConsoleLink({ site, look }: { site: Site; look: ButtonProps }) {
  const { server_id: serverId } = site.connection.ssh;
  const page =
    serverId === null
      ? ({ to: '/sites/$siteId/console', params: { siteId: site.id } } as const)
      : ({ to: '/servers/$serverId/console', params: { serverId }, search: { site: site.id } } as const);
  return (
    <Button
      {...look}
      leftSection={<SquareTerminal {...icon} />}
      renderRoot={(props) => <Link {...props} {...page} preload={false} />}
    >
      Console
    </Button>
  );
}

/** Where else a site is worked on. The repairs of a broken site stand among its main actions. */
function SiteLinks({ site, look }: { site: Site; look: ButtonProps }) {
  const { url, connection } = site;
  return (
    <>
      <Button
        {...look}
        component="a"
        href={adminUrl(url)}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={<ExternalLink {...icon} />}
      >
        wp-admin
      </Button>
      {(connection.ssh.server_id !== null || site.can_open_console) && <ConsoleLink site={site} look={look} />}
      {!isBroken(site) && allows(site, checkForRepairs) && <RepairsLink look={look} />}
    </>
  );
}

type Props = { site: Site; check: ReturnType<typeof useSiteCheck>; onEdit: () => void; onDelete: () => void };
type MenuProps = Props & { onCommand: () => void; onShare: () => void; onGive: (() => void) | undefined };

/** What the caller may do with the site. */
const menuItems = ({ site, check, onEdit, onCommand, onShare, onGive, onDelete }: MenuProps): MenuItem[] => [
  ...(allows(site, inspectSite)
    ? [{ label: 'Actualiser', icon: RefreshCw, isDisabled: check.isChecking, run: check.run }]
    : []),
  ...(allows(site, editSite) ? [{ label: 'Modifier', icon: Pencil, run: onEdit }] : []),
  ...(allows(site, runCommand) && site.can_open_console
    ? [{ label: 'Commande…', icon: SquareChevronRight, run: onCommand }]
    : []),
  ...(allows(site, createGrant) ? [{ label: 'Partager…', icon: Share2, run: onShare }] : []),
  ...(onGive && allows(site, changeOwner) ? [{ label: 'Confier à…', icon: UserRoundPen, run: onGive }] : []),
  ...(allows(site, deleteSite) ? [{ label: 'Supprimer', icon: Trash2, isDanger: true, run: onDelete }] : []),
];

/** The actions beside the main ones. On a phone all of them stand in the menu. */
export function SiteActions(props: Props) {
  const { site } = props;
  const isNarrow = useNarrow();
  const navigate = useNavigate();
  const mayGive = useIsAdmin();
  const open = (search: Partial<SiteSearch>) => () => void navigate({ to: '.', ...changeSearch<SiteSearch>(search) });
  const onGive = mayGive ? open({ owner: true }) : undefined;
  const items = menuItems({ ...props, onCommand: open({ command: true }), onShare: open({ share: true }), onGive });
  if (items.length === 0) return <SiteLinks site={site} look={inBar} />;
  return (
    <>
      {!isNarrow && <SiteLinks site={site} look={inBar} />}
      <Dropdown label="Plus" icon={Ellipsis}>
        {(close) => (
          <>
            {isNarrow && <SiteLinks site={site} look={inMenu} />}
            <MenuItems close={close} items={items} />
          </>
        )}
      </Dropdown>
    </>
  );
}
