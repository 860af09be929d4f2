import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, mergeTests } from '@playwright/test';
import type { ReceivedMail } from '@vigie/testing/sendgrid';
import { env } from './env';
import { makeSite } from './machines';
import { test as withPast } from './past';
import { anEmail, bearer } from './people';
import { fetchMailsTo, test as withKey } from './sendgrid';

type Visitors = { url: string; status: number };

const test = mergeTests(withPast, withKey).extend<{
  visitors: Visitors;
  makeMailChannel: (email: string) => Promise<void>;
}>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
  visitors: async ({}, use) => {
    const visitors: Visitors = { url: '', status: 200 };
    const server = createServer((_, response) => {
      response.writeHead(visitors.status).end('<title>Fleuriste</title>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    visitors.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await use(visitors);
    server.closeAllConnections();
    server.close();
  },
  makeMailChannel: async ({ owner, request }, use) => {
    const headers = bearer(owner.token);
    const ids: string[] = [];
    await use(async (email) => {
      const data = { kind: 'mail', name: `Astreinte ${email}`, emails: [email], min_severity: 'critical' };
      const answer = await request.post('/api/channels', { data, headers });
      expect(answer.status(), await answer.text()).toBe(201);
      ids.push((await answer.json()).id);
    });
    for (const id of ids) await request.delete(`/api/channels/${id}`, { headers });
  },
});

test.skip(env.sendgrid === undefined, 'needs the fake SendGrid');
test.beforeEach(({ setKey }) => setKey(env.sendgridKey));

test('a site that goes down is told of by mail, with what preceded it and the way to the repair', async ({
  ownerPage: page,
  owner,
  past,
  makeMailChannel,
  visitors,
}) => {
  const [email, name] = [anEmail(), `Fleuriste ${randomUUID().slice(0, 8)}`];
  const mails = async () => {
    const received = await fetchMailsTo(page, email);
    // The channel is the installation's, so it also tells of the outages of other stories.
    return received.filter(({ subject }) => subject.includes(name));
  };
  const id = await makeSite(page, owner, name, { url: visitors.url });
  await makeMailChannel(email);

  await test.step('the third failed visit sends a mail', async () => {
    visitors.status = 502;
    await past.failTwice({ id, name }, 'Camille Martin');
    await expect.poll(async () => (await mails()).map(({ subject }) => subject), { timeout: 30_000 }).toHaveLength(1);
    const [{ subject, text, html }] = (await mails()) as [ReceivedMail];
    expect(subject).toBe(`Vigie\u00a0: ${name} ne répond plus`);
    expect(text).toContain('HTTP\u00a0502.');
    expect(text).toContain(`Camille Martin a lancé une mise à jour sur ${name}\u00a0: sans erreur.`);
    expect(html).toContain('Voir l’incident et réparer');
  });

  await test.step('its link leads to the incident, and on to the repair', async () => {
    const [{ text }] = (await mails()) as [ReceivedMail];
    await page.goto(new URL(/http:\S+\/incidents\/[-\da-f]{36}/.exec(text)?.[0] ?? '').pathname);
    await expect(page.getByRole('heading', { level: 1, name: `${name} ne répond plus` })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Site cassé\u202f?' }).click();
    await expect(page).toHaveURL(new RegExp(`/sites/${id}.*repairs`));
  });

  await test.step('the second good visit sends its end', async () => {
    visitors.status = 200;
    await past.visitNow(id);
    await past.visitNow(id);
    await expect.poll(async () => (await mails()).at(-1)?.subject, { timeout: 30_000 }).toContain('répond de nouveau');
    expect(await mails()).toHaveLength(2);
  });
});
