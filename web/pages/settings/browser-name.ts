/** Of two that fit, the first: Edge, Opera and Samsung's browser call themselves Chrome, too, and Chrome Safari. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'], [/\b(?:OPR|Opera)\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'], [/\bHeadlessChrome\//, 'Chrome without a window'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'], [/\bVersion\/.*\bSafari\//, 'Safari'], [/^curl\//, 'curl']
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'an iPhone'], [/\biPad\b/, 'an iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'], [/\bCrOS\b/, 'ChromeOS'], [/\bLinux\b|\bX11\b/, 'Linux']
]

const find = (known: readonly [RegExp, string][], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1]

/** @returns such as "Firefox on Linux"; a browser may say anything, so what is not known stays as it came, shortened */
export const nameBrowser = (userAgent: string | null): string => {
  const text = userAgent?.trim() ?? ''
  const [browser, system] = [find(browsers, text), find(systems, text)]
  if (browser) return system ? `${browser} on ${system}` : browser
  if (system) return `A browser on ${system}`
  return text === '' ? 'Unknown browser' : text.slice(0, 60)
}
