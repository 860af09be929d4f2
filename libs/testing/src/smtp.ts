import { type AddressInfo, createServer, type Socket } from 'node:net';

export type SmtpMail = { from: string; to: string[]; content: string };

/** Implements just enough of RFC 5321 to receive a mail, strict about the order of commands. */
export class FakeSmtp {
  readonly mails: SmtpMail[] = [];
  delayMs = 0;
  private readonly server = createServer((socket) => this.serve(socket));

  static async start(): Promise<FakeSmtp> {
    const fake = new FakeSmtp();
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    const conversation = new Conversation((mail) => this.mails.push(mail));
    let pendingText = '';
    socket.write('220 fake ESMTP\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (pendingText + text).split('\r\n');
      pendingText = lines.pop() ?? '';
      for (const line of lines) {
        const answer = conversation.answerTo(line);
        if (answer !== undefined) setTimeout(() => socket.write(`${answer}\r\n`), this.delayMs);
        if (answer?.startsWith('221')) setTimeout(() => socket.end(), this.delayMs);
      }
    });
    socket.on('error', () => undefined);
  }
}

class Conversation {
  private mail: SmtpMail = { from: '', to: [], content: '' };
  private isData = false;

  constructor(private readonly onMail: (mail: SmtpMail) => void) {}

  answerTo(line: string): string | undefined {
    if (this.isData) return this.addContent(line);
    const from = /^MAIL FROM:<([^>]+)>/.exec(line)?.[1];
    const to = /^RCPT TO:<([^>]+)>/.exec(line)?.[1];
    if (/^(EHLO|HELO) \S/.test(line)) return '250 fake';
    if (line === 'QUIT') return '221 bye';
    if (from !== undefined) this.mail = { from, to: [], content: '' };
    else if (to !== undefined && this.mail.from !== '') this.mail.to.push(to);
    else if (line === 'DATA' && this.mail.to.length > 0) this.isData = true;
    else return '503 out of order';
    return this.isData ? '354 go on' : '250 OK';
  }

  private addContent(line: string): string | undefined {
    if (line !== '.') {
      this.mail.content += `${line}\n`;
      return undefined;
    }
    this.isData = false;
    this.onMail(this.mail);
    return '250 OK';
  }
}
