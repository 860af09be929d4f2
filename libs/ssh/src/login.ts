import ssh2, { type AnyAuthMethod, type AuthHandlerMiddleware, type ParsedKey } from 'ssh2';
import { type Reason, SshFailure } from './failure';
import type { SshTarget } from './target';

/** One credential, offered once: several tries make a host ban the address that they come from. */
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

  /** A password is sent only to a server that said that it takes one: hence its list of methods is asked first. */
  readonly next: AuthHandlerMiddleware = (left, isPartial, done) => {
    // The first call has null for both, whatever the types say.
    this.offered = (left as readonly string[] | null)?.slice(0, 20) ?? [];
    this.isPartial = isPartial;
    done(this.choose(left === null));
  };

  /** What the server says to whoever logs in. */
  hear(banner: string): void {
    this.banner = (this.banner + banner).slice(0, 1_000);
  }

  reason(): Reason {
    const { method, offered, isPartial, banner } = this;
    return { kind: 'authentication', method, offered, isPartial, said: banner };
  }

  private choose(isFirst: boolean): AnyAuthMethod {
    const username = this.target.user;
    // `false` is what ends it, whatever the types say.
    const over = false as unknown as AnyAuthMethod;
    if (this.wasTried) return over;
    if (this.key) {
      this.wasTried = true;
      return { type: 'publickey', username, key: this.key };
    }
    if (isFirst) return { type: 'none', username };
    const password = 'password' in this.target.auth ? this.target.auth.password : '';
    this.wasTried = true;
    if (this.offered.includes('password')) return { type: 'password', username, password };
    if (!this.offered.includes('keyboard-interactive')) return over;
    const prompt = (...[, , , prompts, answer]: Parameters<PromptHandler>) => this.answer(prompts, password, answer);
    return { type: 'keyboard-interactive', username, prompt };
  }

  /** One hidden question is the password; anything else is a second proof that nobody can give. */
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
