import type { UseNavigateResult } from '@tanstack/react-router';
import {
  FolderTree,
  Globe,
  Keyboard,
  ListChecks,
  LogOut,
  Moon,
  PanelLeft,
  PanelsTopLeft,
  ServerCog,
  SquareTerminal,
  Sun,
  SunMoon,
  UserRound,
} from 'lucide-react';
import type { Command } from './match';
import { type VerbName, verbs } from './verbs';
import { chooseTheme } from '../../ui/theme';
import { openConsoles } from '../dock/dock';
import { overlay, type Panel } from '../layout/overlays';
import { toggleSidebar } from '../layout/Sidebar';
import { startLogout } from '../session/logout';
import { otherPages, adminPages, sidebar } from '../layout/navigation';

type Context = { isAdmin: boolean; navigate: UseNavigateResult<string>; setPanel: (panel: Panel) => void };

export function commandsFor({ isAdmin, navigate, setPanel }: Context): Command[] {
  const pages = [...sidebar.flat(), ...otherPages, ...(isAdmin ? adminPages : [])];
  return [
    ...pages.map(({ to, search, label, icon, key, words }) => ({
      id: search ? `${to}?tab=${search.tab}` : to,
      group: 'Aller à' as const,
      label,
      icon,
      words,
      keys: key ? ['g', key] : [],
      run: () => void navigate({ to, ...(search && { search }) }),
    })),
    ...actions(navigate, setPanel).map((action) => ({ group: 'Actions' as const, keys: [], ...action })),
  ];
}

const themes = [
  {
    id: 'theme-light',
    label: 'Thème clair',
    icon: Sun,
    words: 'apparence couleur jour',
    run: () => chooseTheme('light'),
  },
  {
    id: 'theme-dark',
    label: 'Thème sombre',
    icon: Moon,
    words: 'apparence couleur nuit',
    run: () => chooseTheme('dark'),
  },
  {
    id: 'theme-system',
    label: 'Thème du système',
    icon: SunMoon,
    words: 'apparence couleur automatique',
    run: () => chooseTheme('system'),
  },
];

const createCommands = (navigate: Context['navigate']) => [
  {
    id: 'add-site',
    label: 'Nouveau site',
    icon: PanelsTopLeft,
    words: 'ajouter wordpress',
    run: () => void navigate({ to: '/sites', search: { add: true } }),
  },
  {
    id: 'add-group',
    label: 'Nouveau groupe',
    icon: FolderTree,
    words: 'ajouter client dossier',
    run: () => void navigate({ to: '/groups', search: { add: true } }),
  },
  {
    id: 'add-zone',
    label: 'Nouvelle zone DNS',
    icon: Globe,
    words: 'ajouter domaine cloudflare',
    run: () => void navigate({ to: '/cloudflare', search: { tab: 'zones', add: true } }),
  },
  {
    id: 'add-server',
    label: 'Ajouter un serveur',
    icon: ServerCog,
    words: 'nouveau ssh machine hôte',
    run: () => void navigate({ to: '/servers', search: { add: true } }),
  },
];

/** A verb without a name opens the list of the sites that it is most often meant for. */
const listCommands = (navigate: Context['navigate']) =>
  (
    [
      ['update', 'Mettre à jour des sites…', { q: 'maj:oui' }],
      ['backup', 'Sauvegarder des sites…', { sort: 'backup' }],
      ['test', 'Tester des sites…', {}],
      ['repair', 'Réparer un site cassé…', { status: 'error' }],
      ['restore', 'Restaurer un site…', { sort: '-backup' }],
    ] as const satisfies readonly (readonly [VerbName, string, object])[]
  ).map(([verb, label, search]) => ({
    id: `sites ${verb}`,
    label,
    icon: verbs[verb].icon,
    words: `${verbs[verb].label} ${verbs[verb].words}`,
    run: () => void navigate({ to: '/sites', search }),
  }));

const openCommands = (navigate: Context['navigate'], setPanel: Context['setPanel']) => [
  {
    id: 'jobs',
    label: 'Ouvrir les tâches',
    icon: ListChecks,
    words: 'journal en cours progression file échecs',
    keys: ['t'],
    run: () => void navigate({ to: '/tasks' }),
  },
  {
    id: 'consoles',
    label: 'Ouvrir les consoles',
    icon: SquareTerminal,
    words: 'terminal shell ssh',
    keys: ['c'],
    run: openConsoles,
  },
  {
    id: 'profile',
    label: 'Ouvrir mon profil',
    icon: UserRound,
    words: 'compte nom email rôle',
    run: () => setPanel('profile'),
  },
];

const actions = (navigate: Context['navigate'], setPanel: Context['setPanel']) => [
  ...listCommands(navigate),
  ...createCommands(navigate),
  ...openCommands(navigate, setPanel),
  ...themes,
  {
    id: 'sidebar',
    label: 'Replier ou déplier le menu',
    icon: PanelLeft,
    words: 'barre latérale',
    run: toggleSidebar,
  },
  {
    id: 'shortcuts',
    label: 'Raccourcis clavier',
    icon: Keyboard,
    words: 'aide touches',
    keys: ['?'],
    run: () => overlay.set('shortcuts'),
  },
  {
    id: 'logout',
    label: 'Se déconnecter',
    icon: LogOut,
    words: 'déconnexion quitter sortir',
    run: () => startLogout(navigate),
  },
];
