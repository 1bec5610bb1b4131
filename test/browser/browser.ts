import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import {
  chromium, type Browser, type BrowserContextOptions, type CDPSession, type Locator, type Page
} from 'playwright-core'
import { asAdmin, type App, type AppTest } from '../app.js'
import { startChatApp } from '../chat.js'
import { share } from '../left-behind.js'
import { root, type Test } from '../tap.js'
import { chromiumFile } from './chromium.js'

let browser: Promise<Browser> | undefined

/** Files that share a process share its browser. */
const launch = (): Promise<Browser> => {
  if (chromiumFile === undefined) throw new Error('No Chromium here: name one in CHROMIUM')
  // Chromium's own sandbox needs rights that root and containers do not give it; the pages are ours.
  const options = { executablePath: chromiumFile, args: ['--no-sandbox', '--disable-dev-shm-usage'] }
  browser ??= share(async () => {
    const started = await chromium.launch(options)
    root.teardown(() => started.close())
    return started
  })
  return browser
}

/** Writes a screenshot for review, which is not committed. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  const folder = join(process.cwd(), 'dist', 'screenshots')
  mkdirSync(folder, { recursive: true })
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

export interface Client { page: Page, complaints: string[] }

/** Opens a window that records the errors of its page. */
export const openWindow = async (t: Pick<Test, 'teardown'>, options: BrowserContextOptions = {}): Promise<Client> => {
  const context = await (await launch()).newContext({ viewport: { width: 1280, height: 820 }, ...options })
  t.teardown(() => context.close())
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  return { page, complaints: listen(page) }
}

/** @returns the page's errors and policy violations, as they occur, without refused connections */
export const listen = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Uncaught/.test(message.text())) complaints.push(message.text())
  })
  return complaints
}

/** @returns a one-time link for the admin, or for another person */
export const linkFor = async (app: App, userId: string = app.home.admin_id): Promise<string> => {
  const made = await app.inject({ method: 'POST', url: `/account/users/${userId}/link`, headers: asAdmin })
  return made.json<{ url: string }>().url
}

/** Signs in by a one-time link, as a person does, and opens the client. */
export const signIn = async ({ page }: Client, app: App, url: string, userId?: string): Promise<void> => {
  const link = new URL(await linkFor(app, userId))
  await page.goto(`${url}${link.pathname}${link.hash}`)
  await page.locator('#use').click()
  await page.locator('#open').click()
  await page.getByRole('textbox', { name: /^(Message to the assistant|Nachricht an den Assistenten)$/ }).waitFor()
}

export const startClient = async (t: AppTest, config: Record<string, string> = {}) => {
  const steward = await startChatApp(t, { SANDBOX: 'auto', ...config })
  const client = await openWindow(t)
  await signIn(client, steward.app, steward.url)
  return { ...steward, ...client }
}

/** Finds an entry of a field that searches, and takes it, by keyboard. */
export const choose = async (field: Locator, name: string): Promise<void> => {
  await field.fill(name)
  await field.page().getByRole('option', { name, exact: true }).waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
}

/** The name of what has the focus. Between its last and first element a dialog gives it to the browser's own bar. */
const focused = `(() => {
  const element = document.activeElement
  return element?.labels?.[0]?.querySelector('span')?.textContent ??
    element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent
})()`

export const hasFocus = async (page: Page, name: string): Promise<boolean> => await page.evaluate(focused) === name

/** Goes on with the Tab key until the named element has the focus. @throws Error when it is not among the next sixty */
export const tabTo = async (page: Page, name: string, key = 'Tab'): Promise<void> => {
  const passed = new Set<string | undefined>()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key)
    const reached = await page.evaluate<string | undefined>(focused)
    if (reached === name) return
    passed.add(reached?.slice(0, 30))
  }
  throw new Error(`The Tab key does not reach ${name}, but ${[...passed].join(' | ')}`)
}

/** Opens a page anew, so that the content of the earlier page is gone. */
export const visit = async (page: Page, address: string, heading?: string): Promise<void> => {
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('main').getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** The buttons of the page's head that cover a part of its title. */
const covering = `(() => {
  const title = document.createRange()
  const heading = document.querySelector('.page-head h1')
  if (!heading) return []
  title.selectNodeContents(heading)
  const { left, right, top, bottom } = title.getBoundingClientRect()
  const covers = (box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top
  return [...document.querySelectorAll('.page-head button, .page-head a')]
    .filter((each) => covers(each.getBoundingClientRect())).map((each) => each.textContent)
})()`

/** Requires that the open page, in the dark theme, has no findings of axe and no overflow, wide and narrow. */
export const judgeDark = async (t: Test, page: Page, path: string): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 820 })
  t.same(await seriousFindings(page), [], `${path} at full width`)
  await page.setViewportSize({ width: 360, height: 740 })
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
  t.same(await page.evaluate(covering), [], `${path}: what covers the title`)
  t.same(await seriousFindings(page), [], path)
}

/** Opens each page in the dark theme, wide and narrow. */
export const narrow = async (t: Test, { app, url }: { app: App, url: string }, paths: string[]): Promise<void> => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  for (const path of paths) {
    await visit(small.page, `${url}/#/${path}`)
    await small.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await judgeDark(t, small.page, path)
    await shoot(small.page, `${path.replace(/[0-9a-f-]{36}/, 'one').replaceAll('/', '-')}-small-dark`)
  }
}

export const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message to the assistant' }).fill(text)
  await page.keyboard.press('Enter')
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding { text: string, impact: string }

const sessions = new WeakMap<Page, Promise<CDPSession>>()

const sessionOf = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** @returns all that axe finds in the open page */
const judgeByAxe = async (page: Page): Promise<Finding[]> => {
  // Runs in an isolated world, which a document keeps: the page's policy allows no foreign script.
  const session = await sessionOf(page)
  const { frameTree: { frame: { id: frameId } } } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } =
    await session.send('Page.createIsolatedWorld', { frameId, worldName: 'axe' })
  const { result: loaded } = await session.send('Runtime.evaluate', { contextId, expression: 'typeof axe' })
  if (loaded.value === 'undefined') await session.send('Runtime.evaluate', { contextId, expression: axeSource })
  const { result } = await session.send('Runtime.evaluate', {
    contextId,
    awaitPromise: true,
    returnByValue: true,
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .flatMap(({ id, impact, nodes }) => nodes.map(({ html, any }) =>
        ({ impact, text: id + ': ' + html.slice(0, 99) + ' ' + any[0]?.message }))))`
  })
  return result.value as Finding[]
}

/** @returns the findings of axe, of every impact */
export const findings = async (page: Page): Promise<string[]> => (await judgeByAxe(page)).map(({ text }) => text)

/** @returns the serious findings of axe */
export const seriousFindings = async (page: Page): Promise<string[]> => (await judgeByAxe(page))
  .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ text }) => text)
