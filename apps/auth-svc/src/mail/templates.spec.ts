import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { alertMail } from './templates';

const hostile = 'Boutique\r\nBcc: autre@exemple.fr\r\n\r\n<script>alert(1)</script>\u2028</title>" onclick="\u202e';
const link = 'https://vigie.exemple.fr/incidents/1?a="&b=<c>';
const mail = alertMail('Vigie', {
  subject: `${hostile} ne répond plus`,
  paragraphs: [`${hostile} ne répond plus.`, 'Depuis 4 min.'],
  action: { label: 'Ouvrir <l’incident>', link },
  after: 'Ce canal s’appelle «\u00a0<b>Astreinte</b>\u00a0».',
});

/** Returns the message as it would leave by SMTP, its headers apart from its content. */
async function compose(): Promise<{ headers: string[]; content: string }> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail({ ...mail, to: 'a@exemple.fr', from: 'vigie@exemple.fr' });
  const [head = '', ...rest] = (message as Buffer).toString('utf8').split('\r\n\r\n');
  return { headers: head.split(/\r\n(?!\s)/).map((line) => line.split(':')[0] ?? ''), content: rest.join('\r\n\r\n') };
}

describe('a mail about a site with a hostile name', () => {
  it('has a subject of one visible line, which makes no header', async () => {
    expect(mail.subject).toMatch(/^Vigie\u00a0: Boutique {2}Bcc: autre@exemple\.fr .* ne répond plus$/);
    expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    const { headers } = await compose();
    expect(headers.toSorted()).toEqual(
      ['Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'].toSorted(),
    );
  });

  it('has no HTML but its own', () => {
    const tags = new Set([...mail.html.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag));
    expect(tags).toEqual(new Set(['a', 'body', 'div', 'head', 'html', 'meta', 'p', 'title']));
    expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &lt;/title&gt;&quot; onclick=&quot;');
    expect(mail.html).toContain('href="https://vigie.exemple.fr/incidents/1?a=&quot;&amp;b=&lt;c&gt;"');
    expect(mail.html.match(/<title>|<\/title>/g)).toHaveLength(2);
  });

  it('has a paragraph for each that it was given, in both forms', () => {
    expect(mail.text.split('\n\n')).toEqual([
      expect.stringMatching(/^Boutique {2}Bcc: .* ne répond plus\.$/),
      'Depuis 4 min.',
      link,
      expect.stringContaining('Astreinte'),
      '— Vigie',
    ]);
    expect(mail.html.match(/<p>/g)).toHaveLength(2);
  });
});
