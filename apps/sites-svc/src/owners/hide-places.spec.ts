import { describe, expect, it } from 'vitest';
import { hidePlaces, hidePlacesIn } from './hide-places';

describe('the places of a host', () => {
  it.each([
    ['Vigie ne peut pas écrire dans /srv/www/client-42.', 'Vigie ne peut pas écrire dans ….'],
    [
      'Fatal error in /srv/www/a/wp-content/plugins/x/x.php (ligne 3)',
      'Fatal error in wp-content/plugins/x/x.php (ligne 3)',
    ],
    ['«\u00a0/home/deploy/site/index.php\u00a0» ne se lit pas', '«\u00a0index.php\u00a0» ne se lit pas'],
    ['Plusieurs dossiers\u00a0: /srv/www/a, /srv/www/b.', 'Plusieurs dossiers\u00a0: …, ….'],
    ['web-3.exemple.fr refuse les connexions', '… refuse les connexions'],
  ])('are left out of "%s"', (text, seen) => {
    expect(hidePlaces(text, ['web-3.exemple.fr', '/srv/my site'])).toBe(seen);
  });

  it.each([
    'https://exemple.fr/a/b/c répond 500.',
    'wp-content/plugins/x/x.php',
    'Vitrine 1.2.0 → 1.3.0',
    'le 3/4/2026',
    'web/web',
  ])('are not seen in "%s"', (text) => {
    expect(hidePlaces(text, ['web'])).toBe(text);
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
        files: [{ path: 'wp-content/x' }],
        count: 3,
      },
      [],
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
      files: [{ path: 'wp-content/x' }],
      count: 3,
    });
  });
});
