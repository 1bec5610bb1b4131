import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t from '../tap.js'
import { openWindow } from './browser.js'

/**
 * Prints how soon the first page of two checkouts is there, side by side, on a slow machine and a slow line: no test,
 * since a busy machine would fail it. Both are built before; the other is that of the last release.
 * node dist/test/browser/first-paint.js <the other checkout> [times] [language: en or de]
 */
const [other = '', times = '5', language = 'en'] = process.argv.slice(2)
const cpu = 4
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

interface Measured { paint: number, usable: number, script: number, requests: number, typed: number }

const waitFor = async (file: string): Promise<string> => {
  for (let tries = 0; tries < 300; tries++) {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`${file} did not come`)
}

/** Starts a checkout with data of its own. @returns the one-time link of its first person, and what ends it */
const start = async (folder: string, port: number): Promise<{ link: string, end: () => Promise<void> }> => {
  const data = mkdtempSync(join(tmpdir(), 'steward-paint-'))
  const server: ChildProcess = spawn(process.execPath, [join(folder, 'dist', 'bundle', 'server.js')], {
    cwd: folder, stdio: 'ignore', env: { ...process.env, DATA_DIR: data, PORT: String(port), SANDBOX: 'auto' }
  })
  process.once('exit', () => { server.kill() })
  const end = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
    rmSync(data, { recursive: true, force: true })
  }
  return { link: await waitFor(join(data, 'setup-link')), end }
}

const composer = (page: Page) => page.getByRole('textbox', {
  name: language === 'de' ? 'Nachricht an den Assistenten' : 'Message to the assistant'
})

/** From the key to the frame that shows its letter, in ms: the middle one of some. */
const typeKeys = async (page: Page): Promise<number> => {
  await page.evaluate(`addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => (globalThis.delays ??= []).push(performance.now() - timeStamp)))
  }, true)`)
  for (const key of 'Which clusters') {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await page.waitForTimeout(100)
  }
  const delays = await page.evaluate<number[]>('globalThis.delays')
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? NaN
}

/** Opens the first page as one who is signed in does, with nothing in the cache. */
const measure = async (page: Page, address: string): Promise<Measured> => {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', line)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => { if (type === 'Script') scripts.add(requestId) })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(address, { waitUntil: 'commit' })
  await composer(page).waitFor({ timeout: 60_000 })
  const usable = await page.evaluate<number>('performance.now()')
  const script = bytes
  const paint = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
  await page.waitForLoadState('networkidle')
  await composer(page).focus()
  const typed = await typeKeys(page)
  await session.detach()
  return { paint, usable, script, requests: scripts.size, typed }
}

const middle = (of: Measured[], key: keyof Measured): number =>
  of.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN

const print = (name: string, of: Measured[]) => t.comment(`${name}: first contentful paint ` +
  `${Math.round(middle(of, 'paint'))} ms, composer usable after ${Math.round(middle(of, 'usable'))} ms, ` +
  `${(middle(of, 'script') / 1_000).toFixed(1)} KB of script, compressed, in ${middle(of, 'requests')} files, ` +
  `${Math.round(middle(of, 'typed'))} ms from a key to its letter`)

const sides = [{ name: 'the other', folder: resolve(other), port: 18_941 },
  { name: 'this one', folder: process.cwd(), port: 18_942 }]
const started = []
for (const side of sides) {
  const { link, end } = await start(side.folder, side.port)
  t.teardown(end)
  const { page } = await openWindow(t, { locale: language })
  await page.goto(link)
  await page.locator('#use').click()
  await page.locator('#open').click()
  await composer(page).waitFor()
  started.push({ ...side, page, found: [] as Measured[] })
}
// By turns, so that what else the machine does meets both.
for (let turn = 0; turn < Number(times); turn++) {
  for (const { page, port, found } of started) found.push(await measure(page, `http://127.0.0.1:${port}/`))
}
for (const { name, found } of started) print(name, found)
t.equal(started.length, 2, `both were measured ${times} times, CPU ×${cpu} slower, 1.6 Mbit/s, 150 ms`)
