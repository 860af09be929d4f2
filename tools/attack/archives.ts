import { randomUUID } from 'node:crypto';
import { invalidArchives } from '@vigie/testing/invalid-archives';
import { invalidZips } from '@vigie/testing/invalid-zips';
import { anArchive } from '@vigie/testing/wpress';
import { aPlugin } from '@vigie/testing/zip';
import type { Random } from '../chaos/random';
import { validRequest, type CaseContext } from './cases';
import type { HostileRequest } from './send';
import { toQuery } from './values';

const boundary = 'phare';
const partHead = (disposition: string, more = '') =>
  `--${boundary}\r\nContent-Disposition: ${disposition}${more}\r\n\r\n`;
const formEnd = `\r\n--${boundary}--\r\n`;
const disposition = (filename: string) => `form-data; name="file"; filename="${filename}"`;
const zipDisposition = disposition('a.zip');

const forms: readonly (string | Buffer)[] = [
  '',
  `--${boundary}--\r\n`,
  `--${boundary}`,
  partHead(disposition('a.zip')),
  `${partHead(zipDisposition)}x`,
  `${partHead(zipDisposition)}x\r\n${partHead(zipDisposition)}y${formEnd}`,
  `${partHead('form-data; name="fichier"; filename="a.zip"')}x${formEnd}`,
  `${partHead('form-data; name="file"')}x${formEnd}`,
  `${partHead('form-data; name="file"; filename="a.zip"; filename="b.zip"')}x${formEnd}`,
  `${partHead(`form-data; name="file"; filename*=UTF-8''..%2f..%2fa.zip`)}x${formEnd}`,
  `${partHead(zipDisposition, '\r\nContent-Transfer-Encoding: base64')}eA==${formEnd}`,
  `${partHead(zipDisposition, `\r\n${'X: y\r\n'.repeat(3_000)}`)}x${formEnd}`,
  `${partHead(zipDisposition, '\r\nContent-Disposition: form-data; name="type"')}x${formEnd}`,
  `bonjour\r\n${partHead(zipDisposition)}x${formEnd}`,
  `${partHead(zipDisposition)}x${formEnd}encore`,
  `${partHead('attachment; filename="a.zip"')}x${formEnd}`,
  `--${boundary}\r\n${'\0'.repeat(9_000)}`,
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(`.zip"\r\n\r\nx${formEnd}`),
  ]),
];

const contentTypes = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'a'.repeat(300)}`,
  'multipart/form-data; boundary="a\\"b"',
  'multipart/mixed; boundary=phare',
  'application/octet-stream',
];

const filenames = [
  '../../a.zip',
  'a.zip\0.php',
  '.zip',
  '.htaccess',
  'a\u202Epiz.php.zip',
  'con.zip',
  `${'é'.repeat(300)}.zip`,
  'a"b.zip',
  'a;b.zip',
  '%2e%2e%2fa.zip',
  'C:\\a.zip',
  '<img src=x>.zip',
  'a.ZIP',
  'a.zip ',
  '\uFEFF.zip',
];

const form = (filename: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(partHead(disposition(filename))), content, Buffer.from(formEnd)]);

export class HostileFiles {
  private readonly zips = invalidZips().map(([, bytes]) => bytes);
  private constructor(private readonly archive: Buffer) {}

  static create = async () => new HostileFiles(await anArchive());

  /** A malformed form, or an archive with false content. */
  createCase(context: CaseContext): HostileRequest {
    const { random, target } = context;
    const isBackup = target.route.path.includes('/backups/');
    const { kind, body, type } = this.pickFile(random, isBackup ? 'wpress' : 'zip');
    const request = validRequest(context, kind);
    const headers = { ...request.headers, 'content-type': type ?? `multipart/form-data; boundary=${boundary}` };
    const query = random.next() < 0.1 ? `?replace=${toQuery(random.one(['1', '2', '', 'true']))}` : '';
    return { ...request, path: `${request.path}${query}`, headers, body };
  }

  private pickFile(
    random: Random,
    extension: 'zip' | 'wpress',
  ): { kind: string; body: string | Buffer; type?: string } {
    const chance = random.next();
    const name = `${randomUUID()}.${extension}`;
    const validFile = extension === 'zip' ? aPlugin() : this.archive;
    if (chance < 0.3) return { kind: 'formulaire', body: random.one(forms) };
    if (chance < 0.4) return { kind: 'formulaire', body: form(name, validFile), type: random.one(contentTypes) };
    if (chance < 0.5)
      return { kind: 'nom de fichier', body: form(random.one(filenames).replace(/zip$/, extension), validFile) };
    if (chance < 0.65) return { kind: 'archive abîmée', body: form(name, damage(validFile, random)) };
    const bytes = extension === 'zip' ? random.one(this.zips) : random.one(invalidArchives).bytes;
    return { kind: 'archive menteuse', body: form(name, bytes) };
  }
}

function damage(bytes: Buffer, random: Random): Buffer {
  if (random.next() < 0.3) return bytes.subarray(0, Math.floor(random.between(0, bytes.length)));
  const copy = Buffer.from(bytes);
  for (let n = 0; n < 8; n += 1) copy[Math.floor(random.between(0, copy.length))] = Math.floor(random.between(0, 256));
  return copy;
}
