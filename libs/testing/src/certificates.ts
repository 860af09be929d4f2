import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Validity = { start?: string; end?: string };

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const settings = (folder: string) => `[ca]
default_ca = authority
[authority]
database = ${folder}/issued
new_certs_dir = ${folder}
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
`;

/** A certificate authority that nobody trusts unless told to; it keeps its files in the given folder. */
export class TestAuthority {
  /** The root certificate, for `NODE_EXTRA_CA_CERTS` and the like. */
  readonly file: string;

  constructor(
    private readonly folder: string,
    subject: string,
  ) {
    this.file = this.at('root.crt');
    writeFileSync(this.at('settings'), settings(folder));
    writeFileSync(this.at('issued'), '');
    const files = ['-keyout', this.at('root.key'), '-out', this.file];
    openssl('req', '-x509', '-days', '30', '-utf8', '-subj', subject, ...newKey, ...files);
  }

  /** Issues a certificate for one name. The times are those of openssl, like `20300101000000Z`. */
  issue(name: string, { start = '20200101000000Z', end = '20400101000000Z' }: Validity = {}) {
    const [key, request, certificate] = [this.at('site.key'), this.at('site.csr'), this.at('site.crt')];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    openssl('req', ...newKey, ...names, '-keyout', key, '-out', request);
    const root = ['-cert', this.file, '-keyfile', this.at('root.key'), '-config', this.at('settings')];
    const files = ['-in', request, '-out', certificate];
    openssl('ca', '-batch', '-notext', '-startdate', start, '-enddate', end, ...root, ...files);
    return { key: readFileSync(key), cert: readFileSync(certificate) };
  }

  private at(name: string): string {
    return join(this.folder, name);
  }
}

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}
