import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { Semaphore } from '@vigie/ssh/semaphore';
import type { KeyPair } from '@vigie/ssh/keys';
import type { KeyRequest, KeyResult } from '../key-worker';

const maxReaders = 2;
const maxMs = 12_000;

/** Reads private keys in a worker thread: deriving a key from a passphrase takes seconds, which would block consoles. */
@Injectable()
export class KeyReader {
  private readonly gate = new Semaphore(maxReaders);

  async read(pem: string, passphrase: string | undefined): Promise<KeyPair> {
    const leave = await this.gate.acquire(AbortSignal.timeout(maxMs)).catch((cause: unknown) => {
      throw new AppError('unavailable', 'Trop de clés sont lues en ce moment. Réessayez dans un instant.', {
        cause,
        retryAfter: 5,
      });
    });
    try {
      const result = await readInWorker({ pem, passphrase });
      if ('refusal' in result) throw new AppError('invalid', result.refusal);
      return result.pair;
    } finally {
      leave();
    }
  }
}

function readInWorker(request: KeyRequest): Promise<KeyResult> {
  const worker = new Worker(new URL('key-worker.js', import.meta.url), { workerData: request });
  const timer = setTimeout(() => void worker.terminate(), maxMs);
  return new Promise<KeyResult>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', () =>
      reject(
        new AppError(
          'invalid',
          'La lecture de cette clé prend trop de temps\u00a0: réécrivez-la avec «\u00a0ssh-keygen -p -a 16 -f cle\u00a0».',
        ),
      ),
    );
  }).finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}
