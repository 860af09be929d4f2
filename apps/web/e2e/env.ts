/** `npm test` sets these variables for the product that it starts. The defaults are for one started with `npm start`. */
export const env = {
  url: (process.env['VIGIE_E2E_URL'] ?? 'http://127.0.0.1:8080').replace(/\/$/, ''),
  email: process.env['VIGIE_E2E_EMAIL'] ?? 'admin@localhost',
  password: process.env['VIGIE_E2E_PASSWORD'] ?? '',
  /** The URL of the fake SendGrid, whose `GET /mails` returns the mails that it received. */
  sendgrid: process.env['VIGIE_E2E_SENDGRID']?.replace(/\/$/, ''),
  /** The only API key that the fake SendGrid accepts. */
  sendgridKey: process.env['VIGIE_E2E_SENDGRID_KEY'] ?? 'SG.essai',
  /** The URL where the product expects WordPress.org, and where each fleet with updates says which sites it serves. */
  wordpress: process.env['VIGIE_E2E_WORDPRESS'],
  /** The port where the product expects Cloudflare. The DNS stories run their fake Cloudflare on it. */
  cloudflarePort: process.env['VIGIE_E2E_CLOUDFLARE_PORT'],
  /** The folder where each worker writes which controls were used. Nothing is written when it is not set. */
  controls: process.env['VIGIE_E2E_CONTROLS'],
  /** The product's database, for what takes hours or days to come about. Stories that need it are skipped without. */
  database: process.env['VIGIE_E2E_DATABASE'],
  chromium: process.env['VIGIE_E2E_CHROMIUM'] ?? '/usr/bin/chromium',
};
