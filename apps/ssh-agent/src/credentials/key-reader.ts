import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { Gate } from '@vigie/ssh/gate';
import type { KeyPair } from '@vigie/ssh/keys';
import type { KeyQuestion, KeyReading } from '../key-worker';

const readersAtOnce = 2;
const longestMs = 12_000;

/** Reads private keys beside the event loop: a passphrase costs seconds of computing, which consoles must not feel. */
@Injectable()
export class KeyReader {
  private readonly gate = new Gate(readersAtOnce);

  async read(pem: string, passphrase: string | undefined): Promise<KeyPair> {
    const leave = await this.gate.enter(AbortSignal.timeout(longestMs)).catch((cause: unknown) => {
      throw new AppError('unavailable', 'Trop de clés sont lues en ce moment. Réessayez dans un instant.', {
        cause,
        retryAfter: 5,
      });
    });
    try {
      const reading = await readBeside({ pem, passphrase });
      if ('refusal' in reading) throw new AppError('invalid', reading.refusal);
      return reading.pair;
    } finally {
      leave();
    }
  }
}

function readBeside(question: KeyQuestion): Promise<KeyReading> {
  const worker = new Worker(new URL('key-worker.js', import.meta.url), { workerData: question });
  const late = setTimeout(() => void worker.terminate(), longestMs);
  return new Promise<KeyReading>((resolve, reject) => {
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
    clearTimeout(late);
    void worker.terminate();
  });
}
