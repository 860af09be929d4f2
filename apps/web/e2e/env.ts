/** `npm test` starts a product and says where; by hand, the one that `npm start` shows. */
export const env = {
  url: (process.env['VIGIE_E2E_URL'] ?? 'http://127.0.0.1:8080').replace(/\/$/, ''),
  email: process.env['VIGIE_E2E_EMAIL'] ?? 'admin@localhost',
  password: process.env['VIGIE_E2E_PASSWORD'] ?? '',
  /** A SendGrid of the tests: `GET /mails` answers what it was given. By hand there may be none. */
  sendgrid: process.env['VIGIE_E2E_SENDGRID']?.replace(/\/$/, ''),
  /** The one key that it accepts. */
  sendgridKey: process.env['VIGIE_E2E_SENDGRID_KEY'] ?? 'SG.essai',
  /** Where the product asks for updates: the fleet of one story stands there. */
  wordpressPort: process.env['VIGIE_E2E_WORDPRESS_PORT'],
  /** Where the product asks Cloudflare: the stories about DNS stand in for it there, one file of them. */
  cloudflarePort: process.env['VIGIE_E2E_CLOUDFLARE_PORT'],
  /** Where each worker notes which controls were shown and which were used; nobody asks by hand. */
  controls: process.env['VIGIE_E2E_CONTROLS'],
  chromium: process.env['VIGIE_E2E_CHROMIUM'] ?? '/usr/bin/chromium',
};
