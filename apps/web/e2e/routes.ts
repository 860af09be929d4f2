export const menu = [
  { entry: 'Dashboard', path: '/', title: 'Tableau de bord' },
  { entry: 'Sites', path: '/sites', title: 'Sites' },
  { entry: 'DNS', path: '/cloudflare', title: 'DNS' },
  { entry: 'Groupes', path: '/groups', title: 'Groupes' },
  { entry: 'Uploads', path: '/uploads', title: 'Uploads' },
  { entry: 'Plugins', path: '/plugins', title: 'Plugins' },
  { entry: 'Serveurs', path: '/servers', title: 'Serveurs' },
  { entry: 'Notifications', path: '/notifications', title: 'Notifications' },
];

export const screens = [
  ...menu,
  { path: '/sites/0192f0c1-7e57-7000-8000-000000000001', title: 'Site introuvable' },
  { path: '/servers/0192f0c1-7e57-7000-8000-000000000001', title: 'Serveur introuvable' },
  { path: '/servers/0192f0c1-7e57-7000-8000-000000000001/console', title: 'Console' },
  { path: '/tasks', title: 'Tâches' },
  { path: '/incidents', title: 'Incidents' },
  { path: '/incidents/0192f0c1-7e57-7000-8000-000000000001', title: 'Incident introuvable' },
  { path: '/settings', title: 'Paramètres' },
  { path: '/security/2fa', title: 'Sécurité 2FA' },
  { path: '/admin/users', title: 'Utilisateurs' },
  { path: '/nulle/part', title: 'Page introuvable' },
];
