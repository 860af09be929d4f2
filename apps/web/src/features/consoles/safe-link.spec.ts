import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link';

describe('a link', () => {
  it.each([
    ['https://vitrine.fr/a?b#c', 'https://vitrine.fr/a?b#c'],
    ['HTTPS://vitrine.fr', 'https://vitrine.fr/'],
    ['https://\u0430pple.com/', 'https://xn--pple-43d.com/'],
    ['https://vitrine.fr\\@pirate.fr/', 'https://vitrine.fr/@pirate.fr/'],
    ['https://vitrine.fr/\u202egpj.exe', 'https://vitrine.fr/%E2%80%AEgpj.exe'],
    ['https://3232235777/', 'https://192.168.1.1/'],
  ])('shows the address that the browser opens: %j', (text, url) => {
    expect(safeLink(text)).toBe(url);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'vitrine.fr', 'https://', ''])('is refused: %j', (text) => {
    expect(safeLink(text)).toBeUndefined();
  });
});
