import { describe, expect, it } from 'vitest';
import { securityHeaders } from './security-headers';

const headersOf = securityHeaders('https://vigie.exemple.fr');

describe('the headers of an answer', () => {
  it.each(['/etat/Ab-_9', '/etat/Ab-_9?x=1', '/etat', '/api/etat/Ab-_9'])('keep the secret of %s', (url) => {
    expect(headersOf(url)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
    });
  });

  it.each(['/', '/etats', '/api/sites', '/sites?etat=/etat/x'])('are the usual ones for %s', (url) => {
    expect(headersOf(url)).toMatchObject({ 'referrer-policy': 'same-origin' });
    expect(headersOf(url)).not.toHaveProperty('x-robots-tag');
  });
});
