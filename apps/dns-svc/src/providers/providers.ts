import { Injectable } from '@nestjs/common';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { DataSource } from 'typeorm';
import { type DnsConfig, apiKeySealContext } from '../config/config.entity';
import { Budget } from './budget';
import { type Credentials, openCloudflare } from './cloudflare';
import { ProviderFailure, toAppError } from './failures';
import type { DnsProvider } from './provider';

type CallOptions = {
  fallback: string;
  /** Background work, which nobody waits for. */
  isBackground?: boolean;
};

/** Opens the provider of a configuration, and records refused credentials. */
@Injectable()
export class Providers {
  constructor(
    private readonly database: DataSource,
    private readonly keyRing: KeyRing,
    private readonly budget: Budget,
  ) {}

  /** Turns a failure of `work` into the answer that a person reads. */
  async use<T>(
    config: DnsConfig,
    { fallback, isBackground = false }: CallOptions,
    work: (provider: DnsProvider) => Promise<T>,
  ) {
    try {
      const key = await this.keyRing.unseal(config.apiKey, apiKeySealContext(config.id));
      const result = await work(this.open({ mode: config.mode, email: config.email, key }, isBackground));
      if (config.problem !== null) await this.saveProblem(config, null);
      return result;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await this.recordFailure(config, error);
      throw toAppError(error, fallback);
    }
  }

  async recordFailure(config: DnsConfig, { kind, message }: ProviderFailure): Promise<void> {
    if (kind === 'credentials') await this.saveProblem(config, message);
  }

  open(credentials: Credentials, isBackground = false): DnsProvider {
    // The login includes the key, because anybody can type another person’s email.
    const { email, key } = credentials;
    const login = this.keyRing.hash(JSON.stringify([email, key]), 'cloudflare-login');
    return openCloudflare(credentials, {
      spend: () => this.budget.spend(login, isBackground),
      pause: (seconds) => this.budget.pause(login, seconds),
    });
  }

  /** Skips credentials that were changed meanwhile. */
  private async saveProblem({ id, apiKey }: DnsConfig, problem: string | null): Promise<void> {
    await this.database.query('update configs set problem = $2 where id = $1 and api_key = $3', [
      id,
      problem,
      JSON.stringify(apiKey),
    ]);
  }
}
