import { AppError } from '@vigie/contracts/errors';

/** The only part of a form; its content ends well, or with an error. */
export type SentFile = { filename: string; content: AsyncGenerator<Buffer> };

const fieldName = 'file';
const maxHeadBytes = 8 * 1024;
const lineEnd = '\r\n';
const boundaryForm = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;,"]{1,70}))\s*$/i;
const parameters = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;

const broken = (cause?: unknown) =>
  new AppError('invalid', 'Le formulaire envoyé est mal formé ou incomplet\u00a0: recommencez l’envoi.', { cause });
const notOneFile = () =>
  new AppError('invalid', `Envoyez un seul fichier, dans le champ «\u00a0${fieldName}\u00a0» du formulaire.`);

/**
 * A form of one file, read as it comes. A parser of our own, since every other one takes more than this: several parts,
 * other fields, text around them. Here whatever is not that one file is refused, in a hundred lines.
 */
export async function openSentFile(source: AsyncIterator<Buffer>, contentType: string): Promise<SentFile> {
  const found = boundaryForm.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) {
    const sentence = `Envoyez le fichier en multipart/form-data, dans le champ «\u00a0${fieldName}\u00a0».`;
    throw new AppError('unsupported_type', sentence);
  }
  const form = new Form(source, boundary);
  const filename = filenameIn(await form.readHead());
  return { filename, content: form.content() };
}

class Form {
  private held: Buffer = Buffer.alloc(0);
  private readonly delimiter: Buffer;

  constructor(
    private readonly source: AsyncIterator<Buffer>,
    private readonly boundary: string,
  ) {
    this.delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1');
  }

  /** The headers of the first part; nothing comes before it. */
  async readHead(): Promise<Buffer> {
    const opening = Buffer.from(`--${this.boundary}${lineEnd}`, 'latin1');
    const end = `${lineEnd}${lineEnd}`;
    for (;;) {
      const seen = Math.min(opening.length, this.held.length);
      if (!this.held.subarray(0, seen).equals(opening.subarray(0, seen))) throw broken();
      const at = this.held.indexOf(end, Math.max(0, opening.length - lineEnd.length), 'latin1');
      if (at >= 0) {
        const head = this.held.subarray(opening.length, at);
        this.held = this.held.subarray(at + end.length);
        return head;
      }
      if (this.held.length > maxHeadBytes || !(await this.more())) throw broken();
    }
  }

  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.held.indexOf(this.delimiter);
      if (at >= 0) {
        if (at > 0) yield this.held.subarray(0, at);
        this.held = this.held.subarray(at + this.delimiter.length);
        return this.expectEnd();
      }
      // The rest may be the beginning of the delimiter.
      const sure = this.held.length - this.delimiter.length + 1;
      if (sure > 0) {
        yield this.held.subarray(0, sure);
        this.held = this.held.subarray(sure);
      }
      if (!(await this.more())) throw broken();
    }
  }

  private async expectEnd(): Promise<void> {
    const last = `--${lineEnd}`;
    while (this.held.length <= last.length && (await this.more()));
    const rest = this.held.toString('latin1');
    if (rest.startsWith(lineEnd)) throw notOneFile();
    if (rest !== last && rest !== '--') throw broken();
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.source.next();
    if (done) return false;
    this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value]);
    return true;
  }
}

function filenameIn(head: Buffer): string {
  const headers = headersOf(head);
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(?:binary|7bit|8bit)$/i.test(encoding)) throw broken();
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) throw broken();
  const values = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of disposition.matchAll(parameters)) {
    if (values.has(name.toLowerCase())) throw broken();
    values.set(name.toLowerCase(), quoted === undefined ? bare : unquote(quoted));
  }
  const filename = values.get('filename');
  if (values.get('name') !== fieldName || filename === undefined) throw notOneFile();
  return filename;
}

function headersOf(head: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of textOf(head).split(lineEnd)) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    if (at <= 0 || headers.has(name)) throw broken();
    headers.set(name, line.slice(at + 1).trim());
  }
  return headers;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw broken(cause);
  }
}

/** Browsers write three characters as they are in addresses, and curl a backslash before two. */
const unquote = (text: string) =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll(/%0A/gi, '\n');
