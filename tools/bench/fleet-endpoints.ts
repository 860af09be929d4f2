/** Lists and tiles, as the screens request them. The report shows endpoints that do not exist. */
export const endpoints = [
  { name: 'Sites', path: '/api/sites?limit=50' },
  { name: 'Sites par mises à jour, page 5', path: '/api/sites?limit=50&offset=200&sort=-updates' },
  { name: 'Sites cherchés', path: '/api/sites?limit=50&q=mus%C3%A9e' },
  { name: 'Serveurs', path: '/api/servers?limit=50' },
  { name: 'Groupes', path: '/api/groups' },
  { name: 'Uploads', path: '/api/uploads?limit=50' },
  { name: 'Santé des serveurs', path: '/api/servers/health?limit=20' },
  { name: 'Santé par charge', path: '/api/servers/health?limit=20&sort=-load&history=1' },
  { name: 'Tuiles', path: '/api/dashboard/summary' },
  { name: 'À traiter', path: '/api/dashboard/todo' },
  { name: 'Activité', path: '/api/dashboard/activity?limit=50' },
  { name: 'Plugins', path: '/api/plugins/overview?limit=50' },
  { name: 'Plugins cherchés', path: '/api/plugins/overview?limit=50&q=extension&only_updates=1' },
  { name: 'Sites d’un plugin', path: '/api/plugins/overview/extension-7/sites?limit=50' },
  { name: 'Palette, un nom', path: '/api/search?q=mus%C3%A9e' },
  { name: 'Palette, une lettre', path: '/api/search?q=e' },
  { name: 'Palette, un plugin', path: '/api/search?q=extension+12' },
] as const;

export const screens = ['/', '/sites', '/plugins', '/servers', '/groups', '/cloudflare', '/uploads'] as const;
