import { describe, expect, it } from 'vitest';
import { hidePlaces, hidePlacesIn } from './hide-places';

describe('the places of a host', () => {
  it.each([
    ['Vigie ne peut pas écrire dans /srv/www/client-42.', 'Vigie ne peut pas écrire dans ….'],
    [
      'Fatal error in /srv/a/wp-content/plugins/x/x.php (ligne 3)',
      'Fatal error in wp-content/plugins/x/x.php (ligne 3)',
    ],
    ['«\u00a0/home/deploy/site/index.php\u00a0» ne se lit pas', '«\u00a0index.php\u00a0» ne se lit pas'],
    ['Plusieurs dossiers\u00a0: /srv/www/a, /srv/www/b.', 'Plusieurs dossiers\u00a0: …, ….'],
    ['web-3.exemple.fr refuse les connexions', '… refuse les connexions'],
    ['/srv/my site/wp-content/x est un lien', 'wp-content/x est un lien'],
    ['Une opération est en cours dans /srv/my site.', 'Une opération est en cours dans ….'],
    ['qui appartient à deploy\u00a0: connectez-vous', 'qui appartient à …\u00a0: connectez-vous'],
    ['/home/jean.dupont et /var/www/acme.com', '… et …'],
    ['(/tmp:/home/client-42/public_html:/usr)', '(/tmp:…:/usr)'],
    ['file:/home/x/y', 'file:…'],
    ['/srv/www//client-42/wp-content/x, //srv/www/c/x.php', 'wp-content/x, x.php'],
    ["/home/o'brien/public_html/x.php", 'x.php'],
    ['/srv/my site/', '…/'],
  ])('are left out of "%s"', (text, rest) => {
    expect(hidePlaces(text, ['web-3.exemple.fr', '/srv/my site', 'deploy'])).toBe(rest);
  });

  it.each([
    'https://exemple.fr/a/b/c répond 500.',
    'https://www.exemple.fr/www/x',
    'wp-content/plugins/x/x.php',
    'Vitrine 1.2.0 → 1.3.0',
    'le 3/4/2026',
    'redeploy, deploy-tools et deploy.fr',
    'au web/web',
  ])('are not seen in "%s"', (text) => {
    expect(hidePlaces(text, ['/www', 'deploy', 'we'])).toBe(text);
  });

  it('are left out of a result, which keeps its shape', () => {
    const step = { step: 'shell', state: 'ok', message: 'Les commandes s’exécutent en tant que deploy.', remedy: null };
    const seen = hidePlacesIn(
      {
        path: '/srv/www/a',
        host_key: 'SHA256:x',
        facts: { content_dir: '/srv/www/a/wp-content', owner: 'deploy', core: { version: '6.8' } },
        steps: [step, { ...step, state: 'warning', message: 'Trouvé\u00a0: /srv/www/a.', remedy: 'Enregistrez-le.' }],
        proposals: [{ command: 'mv -n -- /srv/www/a/x', repair: { aside: 'plugin/x-0123' } }],
        files: [{ path: 'wp-content/x', slug: 'wordpress-seo', url: 'https://h/wordpress' }],
        stdout: '12 fichiers dans /srv/www/a',
        count: 3,
      },
      ['wordpress', 'wordpress-seo'],
    );
    expect(seen).toEqual({
      path: null,
      host_key: null,
      facts: { content_dir: null, owner: null, core: { version: '6.8' } },
      steps: [
        { ...step, message: '' },
        { ...step, state: 'warning', message: 'Trouvé\u00a0: ….' },
      ],
      proposals: [{ command: '', repair: { aside: 'plugin/x-0123' } }],
      files: [{ path: 'wp-content/x', slug: 'wordpress-seo', url: 'https://h/wordpress' }],
      stdout: '12 fichiers dans …',
      count: 3,
    });
  });
});
