import { useNavigate } from '@tanstack/react-router';
import { ConsolePage } from '../../features/consoles/ConsolePage';
import { openConsoles } from '../dock/dock';

type Props = { isSite?: boolean; id: string; search: { console?: string | undefined; site?: string | undefined } };

/** The console of a server or a site, over the whole screen. */
export function ConsoleScreen({ isSite = false, id, search }: Props) {
  const navigate = useNavigate();
  const leave = () => void navigate(isSite ? { to: '/sites/$siteId', params: { siteId: id } } : { to: '/servers' });
  const toDock = () => {
    openConsoles();
    leave();
  };
  const address = { id, isSite, console: search.console, siteId: search.site };
  return <ConsolePage address={address} onDock={toDock} onLeave={leave} />;
}
