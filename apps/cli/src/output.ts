import { cleanLine, cleanText, safeJson } from './escapes';
import { alignedTable, type Cell, fit, tabbedTable } from './table';

/** The part of a stream that is used here. */
export type Stream = {
  write: (text: string) => unknown;
  on: (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown;
  isTTY?: boolean;
  columns?: number;
};

type Settings = { isJson: boolean; mayRedraw: boolean };

const usualColumns = 100;

/** Writes results to the standard output, and what accompanies the work to the error output. Every text is cleaned. */
export class Output {
  private drawn = false;
  private readonly closed = new Set<Stream>();

  constructor(
    private readonly stdout: Stream,
    private readonly stderr: Stream,
    readonly settings: Settings,
  ) {
    for (const stream of [stdout, stderr]) stream.on('error', (error) => this.close(stream, error));
  }

  /**
   * The next program of a pipe may end before this one, as `head` does: the work goes on without it, since an order
   * that was given or is about to be given must not depend on who reads the result.
   */
  private close(stream: Stream, error: NodeJS.ErrnoException): void {
    if (this.closed.has(stream)) return;
    this.closed.add(stream);
    if (error.code !== 'EPIPE') this.complain(`vigie\u00a0: ${error.message}`);
  }

  private write(stream: Stream, text: string): void {
    if (!this.closed.has(stream)) stream.write(text);
  }

  /** Whether somebody reads the results, as far as known: a command that would print for ever ends without. */
  get isRead(): boolean {
    return !this.closed.has(this.stdout);
  }

  private get isForPerson(): boolean {
    return this.stdout.isTTY === true;
  }

  private onStderr: Output | undefined;

  /** Writes results to the error output. */
  get beside(): Output {
    this.erase();
    this.onStderr ??= new Output(this.stderr, this.stderr, this.settings);
    return this.onStderr;
  }

  line(text: string): void {
    this.erase();
    this.write(this.stdout, `${cleanText(text)}\n`);
  }

  /** As `table`, without the first column for a person: names are shorter than ids. */
  tableById(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
    if (this.isForPerson)
      this.table(
        header.slice(1),
        rows.map((row) => row.slice(1)),
      );
    else this.table(header, rows);
  }

  /** A table for a person at a terminal, lines with tabs for the next program of a pipe. */
  table(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const width = this.stdout.columns ?? usualColumns;
    const lines = this.isForPerson ? alignedTable(header, rows, width) : tabbedTable(rows);
    for (const line of rows.length === 0 ? [] : lines) this.line(line);
  }

  json(value: unknown): void {
    this.raw(safeJson(value));
  }

  /** For a text that is harmless already. */
  raw(text: string): void {
    this.erase();
    this.write(this.stdout, `${text}\n`);
  }

  /** What a person should read beside the result. Programs that asked for JSON are spared. */
  note(text: string): void {
    if (!this.settings.isJson) this.complain(cleanText(text));
  }

  complain(text: string): void {
    this.erase();
    this.write(this.stderr, `${text}\n`);
  }

  /** One line that the next one replaces; a line of its own where nothing can be redrawn. */
  progress(text: string): void {
    if (this.settings.isJson) return;
    const line = cleanLine(text);
    if (!this.canRedraw) {
      this.write(this.stderr, `${line}\n`);
      return;
    }
    this.write(this.stderr, `\r\u001b[2K${fit(line, (this.stderr.columns ?? usualColumns) - 1)}`);
    this.drawn = true;
  }

  /** Whether a line of progress replaces the one before. */
  get canRedraw(): boolean {
    return !this.settings.isJson && this.settings.mayRedraw && this.stderr.isTTY === true;
  }

  private erase(): void {
    if (this.drawn) this.write(this.stderr, '\r\u001b[2K');
    this.drawn = false;
  }

  /** Leaves the terminal without a half-drawn line. */
  end(): void {
    this.erase();
  }
}
