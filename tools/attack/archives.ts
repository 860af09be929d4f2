import { randomUUID } from 'node:crypto';
import { lies } from '@vigie/testing/lying-archives';
import { lyingZips } from '@vigie/testing/lying-zips';
import { anArchive } from '@vigie/testing/wpress';
import { aPlugin } from '@vigie/testing/zip';
import type { Random } from '../chaos/random';
import { honest, type Making } from './cases';
import type { Case } from './send';
import { toQuery } from './values';

const boundary = 'phare';
const head = (disposition: string, more = '') => `--${boundary}\r\nContent-Disposition: ${disposition}${more}\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;
const disposition = (filename: string) => `form-data; name="file"; filename="${filename}"`;
const good = disposition('a.zip');

/** Forms that no browser sends. */
const forms: readonly (string | Buffer)[] = [
  '',
  `--${boundary}--\r\n`,
  `--${boundary}`,
  head(disposition('a.zip')),
  `${head(good)}x`,
  `${head(good)}x\r\n${head(good)}y${end}`,
  `${head('form-data; name="fichier"; filename="a.zip"')}x${end}`,
  `${head('form-data; name="file"')}x${end}`,
  `${head('form-data; name="file"; filename="a.zip"; filename="b.zip"')}x${end}`,
  `${head(`form-data; name="file"; filename*=UTF-8''..%2f..%2fa.zip`)}x${end}`,
  `${head(good, '\r\nContent-Transfer-Encoding: base64')}eA==${end}`,
  `${head(good, `\r\n${'X: y\r\n'.repeat(3_000)}`)}x${end}`,
  `${head(good, '\r\nContent-Disposition: form-data; name="type"')}x${end}`,
  `bonjour\r\n${head(good)}x${end}`,
  `${head(good)}x${end}encore`,
  `${head('attachment; filename="a.zip"')}x${end}`,
  `--${boundary}\r\n${'\0'.repeat(9_000)}`,
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(`.zip"\r\n\r\nx${end}`),
  ]),
];

const types = [
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
  Buffer.concat([Buffer.from(head(disposition(filename))), content, Buffer.from(end)]);

/** What is sent as a file, and a word for it. */
export class Files {
  private readonly zips = lyingZips().map(([, bytes]) => bytes);
  private constructor(private readonly archive: Buffer) {}

  static make = async () => new Files(await anArchive());

  /** A form that its route does not want, or a file that is not what it says. */
  case(making: Making): Case {
    const { random, target } = making;
    const isBackup = target.route.path.includes('/backups/');
    const { kind, body, type } = this.some(random, isBackup ? 'wpress' : 'zip');
    const sent = honest(making, kind);
    const headers = { ...sent.headers, 'content-type': type ?? `multipart/form-data; boundary=${boundary}` };
    const query = random.next() < 0.1 ? `?replace=${toQuery(random.one(['1', '2', '', 'true']))}` : '';
    return { ...sent, path: `${sent.path}${query}`, headers, body };
  }

  private some(random: Random, extension: 'zip' | 'wpress'): { kind: string; body: string | Buffer; type?: string } {
    const draw = random.next();
    const name = `${randomUUID()}.${extension}`;
    const honestFile = extension === 'zip' ? aPlugin() : this.archive;
    if (draw < 0.3) return { kind: 'formulaire', body: random.one(forms) };
    if (draw < 0.4) return { kind: 'formulaire', body: form(name, honestFile), type: random.one(types) };
    if (draw < 0.5)
      return { kind: 'nom de fichier', body: form(random.one(filenames).replace(/zip$/, extension), honestFile) };
    if (draw < 0.65) return { kind: 'archive abîmée', body: form(name, damaged(honestFile, random)) };
    const lie = extension === 'zip' ? random.one(this.zips) : random.one(lies).bytes;
    return { kind: 'archive menteuse', body: form(name, lie) };
  }
}

/** Cut somewhere, or with some bits the other way. */
function damaged(bytes: Buffer, random: Random): Buffer {
  if (random.next() < 0.3) return bytes.subarray(0, Math.floor(random.between(0, bytes.length)));
  const copy = Buffer.from(bytes);
  for (let n = 0; n < 8; n += 1) copy[Math.floor(random.between(0, copy.length))] = Math.floor(random.between(0, 256));
  return copy;
}
