import { AppError } from '@vigie/contracts/errors';

/** The only file of a form; reading its content fails if the form is malformed. */
export type FormFile = { filename: string; content: AsyncGenerator<Buffer> };

const fieldName = 'file';
const maxHeadBytes = 8 * 1024;
const lineEnd = '\r\n';
const boundaryForm = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;,"]{1,70}))\s*$/i;
const parameters = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;

const malformed = (cause?: unknown) =>
  new AppError('invalid', 'Le formulaire envoyé est mal formé ou incomplet\u00a0: recommencez l’envoi.', { cause });
const notOneFile = () =>
  new AppError('invalid', `Envoyez un seul fichier, dans le champ «\u00a0${fieldName}\u00a0» du formulaire.`);

/**
 * Streams a form with one file. The parser is our own, since others accept more: several parts, other fields, text around
 * them. This one refuses anything but a single file, in a hundred lines.
 */
export async function openFormFile(source: AsyncIterator<Buffer>, contentType: string): Promise<FormFile> {
  const match = boundaryForm.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) {
    const sentence = `Envoyez le fichier en multipart/form-data, dans le champ «\u00a0${fieldName}\u00a0».`;
    throw new AppError('unsupported_type', sentence);
  }
  const form = new Form(source, boundary);
  const filename = filenameIn(await form.readHead());
  return { filename, content: form.content() };
}

class Form {
  private buffer: Buffer = Buffer.alloc(0);
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
      const length = Math.min(opening.length, this.buffer.length);
      if (!this.buffer.subarray(0, length).equals(opening.subarray(0, length))) throw malformed();
      const at = this.buffer.indexOf(end, Math.max(0, opening.length - lineEnd.length), 'latin1');
      if (at >= 0) {
        const head = this.buffer.subarray(opening.length, at);
        this.buffer = this.buffer.subarray(at + end.length);
        return head;
      }
      if (this.buffer.length > maxHeadBytes || !(await this.readMore())) throw malformed();
    }
  }

  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.buffer.indexOf(this.delimiter);
      if (at >= 0) {
        if (at > 0) yield this.buffer.subarray(0, at);
        this.buffer = this.buffer.subarray(at + this.delimiter.length);
        return this.expectEnd();
      }
      // The last bytes may be the beginning of the delimiter.
      const safeLength = this.buffer.length - this.delimiter.length + 1;
      if (safeLength > 0) {
        yield this.buffer.subarray(0, safeLength);
        this.buffer = this.buffer.subarray(safeLength);
      }
      if (!(await this.readMore())) throw malformed();
    }
  }

  private async expectEnd(): Promise<void> {
    const last = `--${lineEnd}`;
    while (this.buffer.length <= last.length && (await this.readMore()));
    const rest = this.buffer.toString('latin1');
    if (rest.startsWith(lineEnd)) throw notOneFile();
    if (rest !== last && rest !== '--') throw malformed();
  }

  private async readMore(): Promise<boolean> {
    const { done, value } = await this.source.next();
    if (done) return false;
    this.buffer = this.buffer.length === 0 ? value : Buffer.concat([this.buffer, value]);
    return true;
  }
}

function filenameIn(head: Buffer): string {
  const headers = headersOf(head);
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(?:binary|7bit|8bit)$/i.test(encoding)) throw malformed();
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) throw malformed();
  const values = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of disposition.matchAll(parameters)) {
    if (values.has(name.toLowerCase())) throw malformed();
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
    if (at <= 0 || headers.has(name)) throw malformed();
    headers.set(name, line.slice(at + 1).trim());
  }
  return headers;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed(cause);
  }
}

/** Browsers percent-encode three characters, and curl puts a backslash before two. */
const unquote = (text: string) =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll(/%0A/gi, '\n');
