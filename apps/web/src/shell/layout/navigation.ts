import {
  Bell,
  BellRing,
  Braces,
  FolderTree,
  Gauge,
  Globe,
  Inbox,
  type LucideIcon,
  Package,
  PanelsTopLeft,
  Puzzle,
  Send,
  Server,
  Settings,
  ShieldCheck,
  TriangleAlert,
  Users,
} from 'lucide-react';

export type NavItem = {
  to:
    | '/'
    | '/sites'
    | '/cloudflare'
    | '/groups'
    | '/uploads'
    | '/plugins'
    | '/servers'
    | '/notifications'
    | '/proposals'
    | '/incidents'
    | '/settings'
    | '/security/2fa'
    | '/reference'
    | '/admin/users';
  /** A tab of the page, for the palette. */
  search?: { tab: 'channels' | 'deliveries' };
  label: string;
  icon: LucideIcon;
  /** The shortcut is `g`, then this key. */
  key?: string;
  /** Synonyms that the palette searches. */
  words: string;
};

/** The sidebar, entry by entry, as the specification names and orders them; a group ends with a thin line. */
export const sidebar: readonly (readonly NavItem[])[] = [
  [{ to: '/', label: 'Dashboard', icon: Gauge, words: 'tableau de bord accueil état alertes activité' }],
  [
    { to: '/sites', label: 'Sites', icon: PanelsTopLeft, key: 's', words: 'wordpress sauvegardes mises à jour' },
    { to: '/cloudflare', label: 'DNS', icon: Globe, key: 'd', words: 'cloudflare zones domaines enregistrements' },
    { to: '/groups', label: 'Groupes', icon: FolderTree, words: 'clients dossiers' },
  ],
  [
    { to: '/uploads', label: 'Uploads', icon: Package, key: 'u', words: 'archives téléverser zip extensions thèmes' },
    { to: '/plugins', label: 'Plugins', icon: Puzzle, key: 'p', words: 'extensions mises à jour licences' },
  ],
  [
    { to: '/servers', label: 'Serveurs', icon: Server, key: 'v', words: 'ssh machines console terminal charge' },
    { to: '/notifications', label: 'Notifications', icon: Bell, words: 'email sendgrid expéditeur' },
  ],
];

export const otherPages: readonly NavItem[] = [
  {
    to: '/incidents',
    label: 'Incidents',
    icon: TriangleAlert,
    words: 'alertes pannes hors ligne certificat astreinte',
  },
  {
    to: '/notifications',
    search: { tab: 'channels' },
    label: 'Canaux d’alerte',
    icon: BellRing,
    words: 'notifications slack discord teams telegram webhook ntfy prévenir astreinte',
  },
  {
    to: '/notifications',
    search: { tab: 'deliveries' },
    label: 'Messages envoyés',
    icon: Send,
    words: 'notifications alertes renvoyer échecs',
  },
  { to: '/security/2fa', label: 'Sécurité 2FA', icon: ShieldCheck, words: 'double authentification code totp' },
  {
    to: '/reference',
    label: 'Référence de l’API',
    icon: Braces,
    words: 'openapi documentation routes jetons programmes curl',
  },
  { to: '/proposals', label: 'Propositions', icon: Inbox, words: 'assistant mcp ia plan confirmer' },
];

export const adminPages: readonly NavItem[] = [
  { to: '/settings', label: 'Paramètres', icon: Settings, words: 'réglages apparence logo nom de l’application' },
  { to: '/admin/users', label: 'Utilisateurs', icon: Users, words: 'administration comptes rôles' },
];
