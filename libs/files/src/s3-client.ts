import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '@vigie/contracts/errors';

type Sdk = typeof import('@aws-sdk/client-s3');
export type Bucket = { sdk: Sdk; client: S3Client; name: string };

const maxAttempts = 4;
/** Applies to a stalled transfer, not to a slow one. */
const timeouts = { connectionTimeout: 5_000, socketTimeout: 30_000 };

let sharedClient: Promise<Omit<Bucket, 'name'>> | undefined;

/** Loaded only when a bucket is configured; one client per process. */
export async function openBucket(name: string): Promise<Bucket> {
  sharedClient ??= openClient();
  return { ...(await sharedClient), name };
}

/** Address, region and credentials come from where every AWS tool finds them: the environment, a profile, the host. */
async function openClient(): Promise<Omit<Bucket, 'name'>> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    maxAttempts,
    requestHandler: timeouts,
    // Many S3-compatible servers do not know the newer checksums; the store has its own SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Self-hosted servers seldom have a host name per bucket; AWS accepts both styles.
    forcePathStyle: true,
  });
  return { sdk, client };
}

export const isMissing = (error: unknown) => statusOf(error) === 404;

/** The object was replaced since its size was read. */
export const isChanged = (error: unknown) => statusOf(error) === 412;

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;

export const storeUnavailable = (cause: unknown) =>
  cause instanceof AppError
    ? cause
    : new AppError(
        'unavailable',
        'Le stockage de Vigie ne répond pas correctement\u00a0: réessayez dans un instant. Si cela dure, le journal du service dit pourquoi.',
        { cause },
      );
