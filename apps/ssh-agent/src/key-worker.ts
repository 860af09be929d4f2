import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@vigie/contracts/errors';
import { importKey, type KeyPair } from '@vigie/ssh/keys';

export type KeyQuestion = { pem: string; passphrase: string | undefined };
export type KeyReading = { pair: KeyPair } | { refusal: string };

const { pem, passphrase }: KeyQuestion = workerData;

function read(): KeyReading {
  try {
    return { pair: importKey(pem, passphrase) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}

parentPort?.postMessage(read());
