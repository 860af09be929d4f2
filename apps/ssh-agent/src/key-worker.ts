import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@vigie/contracts/errors';
import { importKey, type KeyPair } from '@vigie/ssh/keys';

export type KeyRequest = { pem: string; passphrase: string | undefined };
export type KeyResult = { pair: KeyPair } | { refusal: string };

const { pem, passphrase }: KeyRequest = workerData;

function read(): KeyResult {
  try {
    return { pair: importKey(pem, passphrase) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}

parentPort?.postMessage(read());
