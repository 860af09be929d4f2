import type { Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { cleanLine } from './escapes';
import { usage } from './failures';
import { type Language, yes } from './language';

/** Asks a person. Where the input is no terminal, it reads the answers line by line. */
export class Prompt {
  private lines: Interface | undefined;
  private isSecret = false;
  private readonly waiting: string[] = [];
  private isOver = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly input: NodeJS.ReadStream,
    private readonly output: NodeJS.WriteStream,
  ) {}

  get isTerminal(): boolean {
    return this.input.isTTY && this.output.isTTY;
  }

  async ask(question: string): Promise<string> {
    await this.open();
    this.write(question);
    const answer = await this.readLine();
    if (answer === undefined) throw usage('Aucune réponse.', 'No answer.');
    return answer.trim();
  }

  /** Shows nothing of what is typed. */
  async askSecret(question: string): Promise<string> {
    // The terminal itself shows what is typed until readline takes over, so that the question must wait for it.
    await this.open();
    this.isSecret = true;
    this.write(question);
    const answer = await this.readLine();
    this.isSecret = false;
    if (this.isTerminal) this.output.write('\n');
    if (answer === undefined) throw usage('Aucune réponse.', 'No answer.');
    return answer;
  }

  async confirm(language: Language, question: string): Promise<boolean> {
    const choice = language === 'fr' ? 'o/n' : 'y/n';
    return yes[language].test(await this.ask(`${question} (${choice}) `));
  }

  /** A question may hold names of the server, which must not act on the terminal. */
  private write(question: string): void {
    this.output.write(cleanLine(question));
  }

  close(): void {
    this.lines?.close();
    this.lines = undefined;
  }

  private async readLine(): Promise<string | undefined> {
    while (this.waiting.length === 0 && !this.isOver)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    return this.waiting.shift();
  }

  private async open(): Promise<void> {
    if (this.lines) return;
    // Most commands ask nothing, and readline takes as long to load as all else that they need.
    const { createInterface } = await import('node:readline');
    // What readline echoes passes through here, except while a secret is typed, or into a file.
    const echo = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (!this.isSecret && this.output.isTTY) this.output.write(chunk);
        done();
      },
    });
    // A terminal shows what is typed unless readline takes it over, even where the questions go elsewhere. Without a
    // history, no key brings a secret back at the next question.
    this.lines = createInterface({ input: this.input, output: echo, terminal: this.input.isTTY, historySize: 0 });
    this.lines.on('line', (line) => {
      this.waiting.push(line);
      this.wake?.();
    });
    this.lines.on('close', () => {
      this.isOver = true;
      this.wake?.();
    });
    // readline takes Ctrl-C for itself in a terminal.
    this.lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  }
}
