type Signature = readonly [mark: RegExp, name: string];

/** The order matters: many browsers also call themselves Chrome and Safari. */
const browsers: readonly Signature[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly Signature[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const find = (signatures: readonly Signature[], text: string) =>
  signatures.find(([pattern]) => pattern.test(text))?.[1];

/** Returns "Firefox sur Linux" for a user agent. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Appareil inconnu';
  const [browser, system] = [find(browsers, userAgent), find(systems, userAgent)];
  if (browser && system) return `${browser} sur ${system}`;
  // A script has only its own name.
  return browser ?? system ?? userAgent.split(/[\s/]/)[0] ?? userAgent;
}
