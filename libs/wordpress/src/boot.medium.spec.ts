import { afterAll, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests } from './load-tests';

onFleet(describe)('a WordPress that gives up as it starts', () => {
  const program = new LoadTests();
  afterAll(() => program.close());

  it('is quoted as its page would be read, without where that was heard', () => {
    const said = '<h1>Erreur lors de la connexion</h1>\n<p>L&#8217;hôte <code>db</code> est-il joignable&nbsp;?</p>';
    expect(program.ask([{ is: 'died', said }])).toEqual([
      { words: 'Erreur lors de la connexion L’hôte db est-il joignable\u00a0?', path: '' },
    ]);
  });
});
