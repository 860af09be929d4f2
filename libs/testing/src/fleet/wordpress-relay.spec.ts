import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeParty } from '../fake-party';
import { WordPressRelay } from './wordpress-relay';

/** Answers with its name and with what it was asked. */
class Echo extends FakeParty {
  private constructor(private readonly name: string) {
    super();
  }

  static start(name: string): Promise<Echo> {
    return new Echo(name).listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(201).end(`${this.name} ${request.method} ${request.url} ${await text(request)}`);
  }
}

describe('the relay to the fakes of WordPress.org', () => {
  let relay: WordPressRelay;
  let fakes: Echo[];
  beforeAll(async () => {
    relay = await WordPressRelay.start();
    fakes = await Promise.all([Echo.start('first'), Echo.start('second')]);
    for (const [index, fake] of fakes.entries()) {
      const body = JSON.stringify({ sites: [`http://127.0.0.1:${index + 1}`], wordpressOrg: fake.url });
      expect((await fetch(`${relay.url}/fleets`, { method: 'POST', body })).status).toBe(204);
    }
  });
  afterAll(() => Promise.all([relay, ...fakes].map((server) => server.close())));

  const ask = async (agent: string) => {
    const headers = { 'user-agent': agent };
    const answer = await fetch(`${relay.url}/core/?version=6`, { method: 'POST', body: 'x=1', headers });
    return [answer.status, await answer.text()];
  };

  it('sends a request to the fake of the fleet whose site sent it', async () => {
    expect(await ask('WordPress/6.1.1; http://127.0.0.1:1')).toEqual([201, 'first POST /core/?version=6 x=1']);
    expect(await ask('WordPress/6.1.1; http://127.0.0.1:2/')).toEqual([201, 'second POST /core/?version=6 x=1']);
  });

  it.each(['WordPress/6.1.1; http://127.0.0.1:3', 'curl/8'])('refuses what no known site sent: %s', async (agent) => {
    expect(await ask(agent)).toEqual([403, expect.stringContaining('No fleet has the site')]);
  });
});
