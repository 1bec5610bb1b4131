import { say, sayKnown } from '../../texts/say'

/**
 * Names, or keys of texts. Of two that fit, the first: Edge, Opera and Samsung's browser call themselves Chrome, too,
 * and Chrome Safari.
 */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'], [/\b(?:OPR|Opera)\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'], [/\bHeadlessChrome\//, 'browser.headless'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'], [/\bVersion\/.*\bSafari\//, 'Safari'], [/^curl\//, 'curl']
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'browser.iphone'], [/\biPad\b/, 'browser.ipad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'], [/\bCrOS\b/, 'ChromeOS'], [/\bLinux\b|\bX11\b/, 'Linux']
]

const find = (known: readonly [RegExp, string][], text: string): string | undefined => {
  const name = known.find(([pattern]) => pattern.test(text))?.[1]
  return name === undefined ? undefined : sayKnown(name) ?? name
}

/** @returns such as "Firefox on Linux"; a browser may say anything, so what is not known stays as it came, shortened */
export const nameBrowser = (userAgent: string | null): string => {
  const text = userAgent?.trim() ?? ''
  const [browser, system] = [find(browsers, text), find(systems, text)]
  if (browser) return system ? say('browser.on', { browser, system }) : browser
  if (system) return say('browser.some', { system })
  return text === '' ? say('browser.unknown') : text.slice(0, 60)
}
