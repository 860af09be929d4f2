import { fileURLToPath } from 'node:url';
import { DiskStore } from './disk-store';
import type { FileStore } from './file-store';
import { S3Store } from './s3-store';

/** Shown to the deployer: an invalid address is refused at start, not at the first file. */
export const storeRefusal =
  'must be a file:/// address of a folder that the gateway, sites-svc and ssh-agent share, or s3://bucket/prefix';

const s3Form = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*)\/?$/;

export function isStoreUrl(url: string): boolean {
  try {
    return s3Form.test(url) || (new URL(url).protocol === 'file:' && fileURLToPath(url) !== '/');
  } catch {
    return false;
  }
}

export function openStore(url: string): Promise<FileStore> {
  const [isS3, bucket = '', prefix = ''] = s3Form.exec(url) ?? [];
  return isS3 === undefined ? DiskStore.open(url) : S3Store.open(bucket, prefix.slice(1));
}
