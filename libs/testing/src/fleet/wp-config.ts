import { randomBytes } from 'node:crypto';

type Config = {
  name: string;
  user: string;
  password: string;
  host: string;
  prefix: string;
  /** Lines of PHP before the "stop editing" comment. */
  constants: readonly string[];
  abspath: string;
};

const salts = [
  'AUTH_KEY',
  'SECURE_AUTH_KEY',
  'LOGGED_IN_KEY',
  'NONCE_KEY',
  'AUTH_SALT',
  'SECURE_AUTH_SALT',
  'LOGGED_IN_SALT',
  'NONCE_SALT',
];

const quoted = (text: string) => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;

/** Fills in WordPress's own sample configuration. */
export function wpConfig({ name, user, password, host, prefix, constants, abspath }: Config): string {
  return `<?php
/**
 * The base configuration for WordPress
 */

// ** Database settings ** //
define( 'DB_NAME', ${quoted(name)} );
define( 'DB_USER', ${quoted(user)} );
/** Database password */
define( 'DB_PASSWORD', ${quoted(password)} );
define( 'DB_HOST', ${quoted(host)} );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );

${salts.map((salt) => `define( '${salt}', '${randomBytes(32).toString('base64')}' );`).join('\n')}

$table_prefix = ${quoted(prefix)};

// Visits do not run scheduled tasks.
define( 'DISABLE_WP_CRON', true );
${constants.join('\n')}

/* That's all, stop editing! Happy publishing. */

if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', ${abspath} );
}

require_once ABSPATH . 'wp-settings.php';
`;
}
