import { expect, it } from 'vitest';
import { environmentOf } from './machine';

it('passes on the proxy and certificate settings of this machine, and nothing else of its environment', () => {
  const env = environmentOf({
    HTTPS_PROXY: 'http://proxy.test',
    NODE_EXTRA_CA_CERTS: '/a.crt',
    NPM_CONFIG_REGISTRY: 'http://npm.test',
    npm_config_cache: '/here',
    DATABASE_URL: 'postgres://here',
    HOME: '/home/me',
    PATH: '/home/me/bin',
  });
  expect(env).toEqual({
    HTTPS_PROXY: 'http://proxy.test',
    NODE_EXTRA_CA_CERTS: '/a.crt',
    NPM_CONFIG_REGISTRY: 'http://npm.test',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    USER: 'root',
    LANG: 'C.UTF-8',
    PORT: '0',
  });
});
