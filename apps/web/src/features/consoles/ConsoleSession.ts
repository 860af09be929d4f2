import { createSignal, type Signal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { type Arrival, ConsoleLink, type Size } from './ConsoleLink';
import { doorTo } from './door';
import type { Deed } from './keys';
import { isOver, type LinkState, type Trouble } from './link-state';
import { preferences } from './looks';
import { forgetConsole, rememberConsole } from './remembered';
import type { Found, Looks, Screen } from './Screen';

export type Target = {
  id: string;
  name: string;
  type: 'prod' | 'dev' | 'backup';
  user: string;
  host: string;
  port: number;
};

export type View = {
  state: LinkState;
  /** Whether the code of the terminal is loaded. */
  screen: 'loading' | 'ready' | 'failed';
  latency: number | undefined;
  /** The last message for screen readers. */
  news: string;
  isIdle: boolean;
  isCtrl: boolean;
  found: Found;
  /** The confirmation that is open. */
  ask: { kind: 'paste'; text: string } | { kind: 'link'; url: string } | undefined;
};

type Known = { id: string; size?: Size | undefined; isElsewhere?: boolean };

const idleMs = 25 * 60_000;
const replayPauseMs = 300;
const lookMs = 30_000;
const elsewhere = { code: 'taken_over', message: 'Cette console est ouverte dans une autre fenêtre.' };
const unloaded = 'Chargement du terminal échoué.';

let count = 0;

/** One tab: the link to a shell, and the screen that shows it. It outlives the page that shows it. */
export class ConsoleSession {
  readonly key: string;
  readonly view: Signal<View>;
  private link: ConsoleLink | undefined;
  private screen: Screen | undefined;
  private loading: Promise<Screen | undefined> | undefined;
  private onDeed: ((deed: Deed) => void) | undefined;
  private theme: Looks['theme'] = 'light';
  private readonly stops: (() => void)[] = [];
  private readonly watch = setInterval(() => this.lookAtIdle(), lookMs);
  private replayTimer: ReturnType<typeof setTimeout> | undefined;
  private activeAt = performance.now();
  private isGone = false;

  constructor(
    readonly target: Target,
    private known?: Known,
  ) {
    count += 1;
    this.key = `${count}`;
    this.view = createSignal<View>({
      state: known?.isElsewhere ? { at: 'gone', trouble: elsewhere, isAlive: true } : { at: 'connecting' },
      screen: 'loading',
      latency: undefined,
      news: '',
      isIdle: false,
      isCtrl: false,
      found: { index: -1, count: 0 },
      ask: undefined,
    });
    this.stops.push(preferences.subscribe(() => this.dress(this.theme)));
  }

  get console(): string | undefined {
    return this.link?.console ?? this.known?.id;
  }

  /** Reconnects in its previous size before the tab is shown. */
  resume(): void {
    if (this.known?.size) void this.load().then(() => this.connect());
  }

  /** Shows the terminal in an element, and returns the function that removes it. */
  mount(place: HTMLElement, takesFocus: boolean, onDeed: (deed: Deed) => void): () => void {
    this.onDeed = onDeed;
    let unmount: (() => void) | undefined;
    let isTaken = false;
    void this.load().then((screen) => {
      if (isTaken || !screen) return;
      unmount = screen.mount(place);
      if (takesFocus) screen.focus();
      if (this.view.get().state.at === 'connecting') this.connect();
    });
    return () => {
      isTaken = true;
      unmount?.();
      if (this.onDeed === onDeed) this.onDeed = undefined;
    };
  }

  dress(theme: Looks['theme']): void {
    this.theme = theme;
    this.screen?.dress({ theme, ...preferences.get() });
  }

  focus = (): void => this.screen?.focus();
  press: Screen['press'] = (key) => this.screen?.press(key);
  find: Screen['find'] = (text, direction) => this.screen?.find(text, direction);
  stopFinding = (): void => this.screen?.stopFinding();

  paste(text: string): void {
    this.update({ ask: undefined });
    this.screen?.paste(text);
  }

  dismiss(): void {
    this.update({ ask: undefined });
    this.focus();
  }

  stay(): void {
    this.activeAt = performance.now();
    this.update({ isIdle: false });
  }

  /** Reconnects to the same shell. */
  retry(): void {
    if (this.link) this.link.retry();
    else {
      this.update({ state: { at: 'connecting' } });
      this.connect();
    }
  }

  /** Opens a new shell in the same tab. */
  restart(): void {
    this.link?.leave();
    this.link = undefined;
    this.known = undefined;
    this.update({ state: { at: 'connecting' }, latency: undefined });
    this.connect();
  }

  wake(): void {
    this.link?.wake();
  }

  /** Closes the tab and leaves the shell running. */
  leave(): void {
    this.isGone = true;
    clearInterval(this.watch);
    for (const stop of this.stops) stop();
    this.link?.leave();
    this.screen?.dispose();
  }

  private load(): Promise<Screen | undefined> {
    this.loading ??= this.loadScreen();
    return this.loading;
  }

  private async loadScreen(): Promise<Screen | undefined> {
    try {
      const { Screen, loadFont } = await import('./Screen');
      await loadFont();
      if (this.isGone) return undefined;
      this.screen = new Screen(
        {
          onInput: (bytes) => this.type(bytes),
          onResize: (size) => this.resize(size),
          onDeed: (deed) => this.onDeed?.(deed),
          onPaste: (text) => this.update({ ask: { kind: 'paste', text } }),
          onLink: (url) => this.update({ ask: { kind: 'link', url } }),
          onFound: (found) => this.update({ found }),
          onCtrl: (isCtrl) => this.update({ isCtrl }),
        },
        { theme: this.theme, ...preferences.get() },
        this.known?.size,
      );
      this.update({ screen: 'ready' });
      return this.screen;
    } catch {
      this.update({ screen: 'failed', news: unloaded });
      toast.error(unloaded);
      return undefined;
    }
  }

  private connect(): void {
    const { screen } = this;
    if (this.link || !screen || this.isGone) return;
    this.link = new ConsoleLink(
      doorTo(this.target.id),
      {
        onState: (state) => this.follow(state),
        onArrival: (arrival) => this.greet(screen, arrival),
        onOutput: (bytes, onConsumed) => {
          this.beActive();
          if (this.replayTimer !== undefined) this.endReplaySoon(screen);
          screen.write(bytes, onConsumed);
        },
        onLatency: (latency) => this.update({ latency }),
      },
      screen.size,
      this.known?.id,
    );
    this.link.open();
  }

  private type(bytes: Uint8Array): void {
    const { state } = this.view.get();
    const isEnter = bytes.length === 1 && bytes[0] === 13;
    this.beActive();
    if (isOver(state)) {
      if (isEnter) this.restart();
    } else if (state.at === 'lost' || state.at === 'gone') {
      if (isEnter) this.retry();
    } else this.link?.type(bytes);
  }

  private resize(size: Size): void {
    this.link?.resize(size);
    this.remember();
  }

  private remember(): void {
    const id = this.link?.console;
    if (id !== undefined && this.screen) rememberConsole(id, this.screen.size);
  }

  private greet(screen: Screen, { isNew, isReplay, lostOutput, lostInput }: Arrival): void {
    this.remember();
    if (isReplay) {
      screen.replay(true);
      this.endReplaySoon(screen);
    }
    if (isNew) screen.note('Console ouverte');
    if (lostInput > 0) toast.warning('Une partie de ce que vous aviez tapé n’est pas arrivée.');
    if (lostOutput > 0 && !isReplay) screen.note('Une partie de l’affichage est perdue');
  }

  /** The replayed output arrives at once, so a pause marks its end. */
  private endReplaySoon(screen: Screen): void {
    clearTimeout(this.replayTimer);
    this.replayTimer = setTimeout(() => {
      this.replayTimer = undefined;
      screen.replay(false);
    }, replayPauseMs);
  }

  private follow(state: LinkState): void {
    const previous = this.view.get().state;
    this.update({ state, ...(state.at !== 'connected' && { latency: undefined }) });
    if (state.at === 'connected') {
      this.update({ news: previous.at === 'reconnecting' ? 'Connexion rétablie' : 'Console ouverte' });
    } else if (state.at === 'reconnecting') {
      if (state.attempt === 1) this.tellLost(state.unopened);
    } else if (state.at === 'ended') {
      this.endWith(
        `Console fermée (${state.signal === null ? `code ${state.code ?? 'inconnu'}` : `signal ${state.signal}`})`,
      );
    } else if (state.at === 'gone' || (state.at === 'lost' && previous.at !== 'lost')) {
      // Any request gets a 401 when the session is over, which leads to the login.
      if (state.trouble.code === 'session_ended') void doorTo(this.target.id).ask();
      this.endWith(`Erreur\u00a0: ${state.trouble.message}`, !isOver(state));
    }
  }

  private tellLost(unopened: Trouble | undefined): void {
    const text = unopened && `Erreur\u00a0: ${unopened.message}`;
    if (text !== undefined) this.screen?.note(text);
    this.update({ news: text ?? 'Connexion perdue, reconnexion en cours' });
  }

  private endWith(text: string, hasShell = false): void {
    this.update({ news: text, isIdle: false });
    this.screen?.note(text, !hasShell);
    const id = this.console;
    if (!hasShell && id !== undefined) forgetConsole(id);
  }

  private beActive(): void {
    this.activeAt = performance.now();
    if (this.view.get().isIdle) this.update({ isIdle: false });
  }

  private lookAtIdle(): void {
    const { state, isIdle } = this.view.get();
    if (!isIdle && state.at === 'connected' && performance.now() - this.activeAt > idleMs)
      this.update({ isIdle: true });
  }

  private update(change: Partial<View>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}
