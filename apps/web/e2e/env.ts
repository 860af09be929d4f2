/** `npm test` sets these variables; the defaults are those of `npm start`. */
export const env = {
  url: (process.env['VIGIE_E2E_URL'] ?? 'http://127.0.0.1:8080').replace(/\/$/, ''),
  email: process.env['VIGIE_E2E_EMAIL'] ?? 'admin@localhost',
  password: process.env['VIGIE_E2E_PASSWORD'] ?? '',
  /** The fake SendGrid, whose `GET /mails` returns the emails it received; undefined in a run by hand. */
  sendgrid: process.env['VIGIE_E2E_SENDGRID']?.replace(/\/$/, ''),
  /** The only key that the fake SendGrid accepts. */
  sendgridKey: process.env['VIGIE_E2E_SENDGRID_KEY'] ?? 'SG.essai',
  /** The port of the fake WordPress.org, which one fleet serves. */
  wordpressPort: process.env['VIGIE_E2E_WORDPRESS_PORT'],
  /** The port of the fake Cloudflare, which only one file of stories can serve. */
  cloudflarePort: process.env['VIGIE_E2E_CLOUDFLARE_PORT'],
  /** The folder where each worker records the controls that it used; undefined in a run by hand. */
  controls: process.env['VIGIE_E2E_CONTROLS'],
  chromium: process.env['VIGIE_E2E_CHROMIUM'] ?? '/usr/bin/chromium',
};
