import ssh2, { type AnyAuthMethod, type AuthHandlerMiddleware, type ParsedKey } from 'ssh2';
import { type Reason, SshFailure } from './failure';
import type { SshTarget } from './target';

/** Offers one credential once: repeated tries make a host ban Vigie's address. */
export class Login {
  readonly method: 'password' | 'key';
  private readonly key: ParsedKey | undefined;
  private offered: readonly string[] = [];
  private isPartial = false;
  private wasTried = false;
  private wasAnswered = false;
  private banner = '';

  constructor(
    private readonly target: Pick<SshTarget, 'user' | 'auth'>,
    private readonly refuse: (failure: SshFailure) => void,
  ) {
    this.method = 'password' in target.auth ? 'password' : 'key';
    if ('privateKey' in target.auth) this.key = readKey(target.auth.privateKey);
  }

  /** Asks for the list of methods first, so that a password goes only to a server that accepts passwords. */
  readonly next: AuthHandlerMiddleware = (remainingMethods, isPartial, done) => {
    // The first call passes null for both, against its types.
    this.offered = (remainingMethods as readonly string[] | null)?.slice(0, 20) ?? [];
    this.isPartial = isPartial;
    done(this.choose(remainingMethods === null));
  };

  /** Keeps the beginning of the server's login banner. */
  addBanner(banner: string): void {
    this.banner = (this.banner + banner).slice(0, 1_000);
  }

  reason(): Reason {
    const { method, offered, isPartial, banner } = this;
    return { kind: 'authentication', method, offered, isPartial, detail: banner };
  }

  private choose(isFirst: boolean): AnyAuthMethod {
    const username = this.target.user;
    // `false` ends the authentication, against its types.
    const stop = false as unknown as AnyAuthMethod;
    if (this.wasTried) return stop;
    if (this.key) {
      this.wasTried = true;
      return { type: 'publickey', username, key: this.key };
    }
    if (isFirst) return { type: 'none', username };
    const password = 'password' in this.target.auth ? this.target.auth.password : '';
    this.wasTried = true;
    if (this.offered.includes('password')) return { type: 'password', username, password };
    if (!this.offered.includes('keyboard-interactive')) return stop;
    const prompt = (...[, , , prompts, answer]: Parameters<PromptHandler>) => this.answer(prompts, password, answer);
    return { type: 'keyboard-interactive', username, prompt };
  }

  /** Answers a single hidden question with the password; anything else is a second factor, which Vigie has not. */
  private answer(prompts: Parameters<PromptHandler>[3], password: string, send: (answers: string[]) => void): void {
    if (prompts.length === 1 && !prompts[0]?.echo && !this.wasAnswered) {
      this.wasAnswered = true;
      send([password]);
      return;
    }
    this.refuse(new SshFailure({ ...(this.reason() as Extract<Reason, { offered: unknown }>), isPartial: true }));
  }
}

type PromptHandler = Extract<AnyAuthMethod, { type: 'keyboard-interactive' }>['prompt'];

function readKey(text: string): ParsedKey {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error || !key.isPrivateKey()) throw new SshFailure({ kind: 'invalid-key' });
  return key;
}
