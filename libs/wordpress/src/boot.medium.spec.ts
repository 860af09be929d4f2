import { afterAll, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests } from './load-tests';

onFleet(describe)('a WordPress that calls wp_die() while it starts', () => {
  const program = new LoadTests();
  afterAll(() => program.close());

  it('is quoted as plain text, without the location in our code', () => {
    const page = '<h1>Erreur lors de la connexion</h1>\n<p>L&#8217;hôte <code>db</code> est-il joignable&nbsp;?</p>';
    expect(program.ask([{ is: 'died', said: page }])).toEqual([
      { words: 'Erreur lors de la connexion L’hôte db est-il joignable\u00a0?', path: '' },
    ]);
  });
});
