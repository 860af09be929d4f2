import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Daemons } from './daemons';
import { deploy, findFpm, www } from './machine';
import type { FleetSite } from './sites';

const pools = [deploy, www];

/** Starts PHP-FPM with opcache, running each site as its owner, behind nginx with one port per site. */
export async function startWeb(folder: string, sites: readonly FleetSite[], daemons: Daemons): Promise<void> {
  const conf = join(folder, 'conf');
  mkdirSync(join(conf, 'temp'), { recursive: true });
  const socket = (owner: string) => join(folder, `php-${owner}.sock`);
  writeFileSync(join(conf, 'php-fpm.conf'), fpmConfig(folder, socket));
  writeFileSync(join(conf, 'nginx.conf'), nginxConfig(conf, sites, socket));
  const opcache = opcacheFor(sites.length);
  const fpm = [findFpm() ?? 'php-fpm', '--nodaemonize', '--fpm-config', join(conf, 'php-fpm.conf'), ...opcache];
  const nginx = ['nginx', '-c', join(conf, 'nginx.conf'), '-p', conf];
  const last = sites.at(-1);
  await Promise.all([
    daemons.start('php-fpm', socket(www.name), fpm),
    last && daemons.start('nginx', Number(new URL(last.url).port), nginx),
  ]);
}

/** Room for the code of all sites, as on a host whose sites have visitors. */
const opcacheFor = (sites: number) =>
  ['enable=1', `memory_consumption=${64 + 24 * sites}`, `max_accelerated_files=${10_000 + 1_000 * sites}`].flatMap(
    (setting) => ['-d', `opcache.${setting}`],
  );

const fpmConfig = (folder: string, socket: (owner: string) => string) => `[global]
error_log = ${join(folder, 'logs/php-fpm.log')}
log_level = warning
${pools
  .map(
    ({ name, uid, gid }) => `[${name}]
user = ${uid}
group = ${gid}
listen = ${socket(name)}
listen.owner = www-data
listen.group = www-data
listen.mode = 0600
pm = ondemand
pm.max_children = 12
pm.process_idle_timeout = 30s
catch_workers_output = no
php_admin_value[sendmail_path] = /bin/true
`,
  )
  .join('')}`;

const nginxConfig = (conf: string, sites: readonly FleetSite[], socket: (owner: string) => string) => `user www-data;
worker_processes 1;
daemon off;
error_log stderr;
pid ${conf}/nginx.pid;
events { worker_connections 256; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
  client_max_body_size 128m;
  server_names_hash_bucket_size 128;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${conf}/temp/${name};`).join('\n')}
${sites.map((site) => server(site, socket(site.owner))).join('\n')}
}
`;

const server = (site: FleetSite, socket: string) => `  server {
    listen 127.0.0.1:${new URL(site.url).port};
    root "${site.path.replace(/["\\]/g, (sign) => `\\${sign}`)}";
    index index.php;
    ${site.kind === 'multisite' ? inSubfolders : ''}
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      try_files $uri =404;
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_pass unix:${socket};
    }
  }`;

/** WordPress's own rules for a network in subfolders. */
const inSubfolders = `if (!-e $request_filename) {
      rewrite ^(/[^/]+)?(/wp-.*) $2 last;
      rewrite ^(/[^/]+)?(/.*\\.php) $2 last;
    }`;
