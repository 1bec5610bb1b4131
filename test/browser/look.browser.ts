import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import t, { type Test } from '../tap.js'
import { until } from '../chat.js'
import { findings, startClient } from './browser.js'
import { furnish } from './furnished.js'

const steward = await startClient(t)
const { url, page } = steward
const { at, asking, connect } = await furnish(t, steward)
const folder = join(process.cwd(), 'dist', 'screenshots', 'pages')
mkdirSync(folder, { recursive: true })

/** What the browser has to say, and every request that failed. */
const faults: string[] = []
/** Requests without their answer: a page is settled when only its streams are left. */
const open = new Set<Request>()

const watch = (page: Page) => {
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on('request', (request) => { open.add(request) })
  page.on('requestfinished', (request) => { open.delete(request) })
  page.on('requestfailed', (request) => {
    open.delete(request)
    const reason = request.failure()?.errorText
    // The page itself aborts what it reads for a page that is left.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()}: ${reason}`)
  })
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) open.delete(response.request())
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
}
watch(page)

/** What is shown while something loads, but where it is itself what is shown. */
const loads = 'main .skeleton:not([data-part] *), main [aria-busy=true]'

const settle = () => until(async () => open.size === 0 &&
  await page.locator(loads).count() === 0 && open.size === 0,
() => [...open].map((request) => request.url()))

/** Moves within the client, which loads nothing again. */
const go = async (path: string) => {
  await page.goto(`${url}/#/${path}`)
  await page.locator('main h1').first().waitFor()
  await settle()
}

const themes = ['light', 'dark'] as const
const widths = [[360, 740], [768, 1024], [1280, 820]] as const

type Theme = typeof themes[number]
type Size = typeof widths[number]

/** Shows the page as it is open in one theme and width, and takes its picture. */
const arrange = async (name: string, theme: Theme, [width, height]: Size) => {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  await page.evaluate('document.fonts.ready')
  await settle()
  await page.screenshot({
    path: join(folder, `${name}-${theme}-${width}.png`), animations: 'disabled', fullPage: true
  })
}

const judge = async (t: Test, name: string, theme: Theme, size: Size) => {
  await arrange(name, theme, size)
  const [width] = size
  const state = `${name} ${theme} ${width}`
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${state}: nothing scrolls sideways`)
  t.same(await findings(page), [], `${state}: axe`)
}

const judgeAll = async (t: Test, name: string) => {
  for (const theme of themes) for (const width of widths) await judge(t, name, theme, width)
  t.same(faults.splice(0), [], `${name}: what the browser complains of`)
}

t.test('every page of the client is looked at', async (t) => {
  const source = readFileSync(join(process.cwd(), 'web', 'shell', 'pages.ts'), 'utf8')
  const names = [...source.matchAll(/^ {2}(\w+): lazy\(/gm)].map(([, name]) => name)
  t.same([...Object.keys(at), 'connect'].sort(), names.sort())
})

t.test('every shared component is shown, with the tokens that the stylesheet has', async (t) => {
  await go('components')
  // The rest of what they show comes from a run that is under way, or is a part of another one.
  const apart = ['content-progress', 'field-problem', 'icons', 'markdown-blocks', 'progress']
  const files = readdirSync(join(process.cwd(), 'web', 'parts')).filter((name) => name.endsWith('.tsx'))
  const parts = await page.locator('[data-part]').all()
  const shown = await Promise.all(parts.map((part) => part.getAttribute('data-part')))
  t.same([...shown, ...apart].sort(), files.map((name) => name.replace('.tsx', '')).sort())
  const source = readFileSync(join(process.cwd(), 'web', 'styles', 'tokens.css'), 'utf8')
  const tokens = [...source.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name)
  t.same((await page.locator('.tokens code').allTextContents()).sort(), tokens.sort())
})

/** The names of the tabs by their address, which are found on the pages. */
const tabs = new Map<string, string>()

const keepTab = (name: string, href: string) => {
  const path = href.replace(/^.*#\//, '')
  const isPage = Object.values<string>(at).includes(path)
  if (!isPage) tabs.set(path, `${name}-${(path.split('/').at(-1) ?? '').replace(/\W+/g, '-')}`)
}

for (const [name, path] of Object.entries(at)) {
  t.test(`${name} is in order in both themes and three widths`, async (t) => {
    await go(path)
    await judgeAll(t, name)
    const tabs = await page.locator('main :is(.tabs, .part-menu) a').all()
    for (const tab of tabs) keepTab(name, await tab.getAttribute('href') ?? '')
  })
}

t.test('the start of a chat, and one that asks, are in order in both themes and three widths', async (t) => {
  for (const [name, path] of [['chat-new', ''], ['chat-asks', asking]] as const) {
    await go(path)
    await judgeAll(t, name)
  }
})

t.test('on a phone a chat scrolls in itself, and its welcome begins at the top', async (t) => {
  const [width, height] = widths[0]
  await page.setViewportSize({ width, height })
  for (const [name, path] of [['chat-new', ''], ['chat', at.chat], ['chat-asks', asking]] as const) {
    await page.goto('about:blank')
    await go(path)
    t.equal(await page.evaluate('document.documentElement.scrollHeight'), height, `${name}: the page itself does not`)
  }
  await page.goto('about:blank')
  await go('')
  const body = page.locator('.thread-body')
  await until(() => page.getByText('First steps').isVisible())
  t.equal(await body.evaluate('document.querySelector(".thread-body").scrollTop'), 0)
})

t.test('nothing on a page that people read is an id, or a word of the API', async (t) => {
  for (const path of [at.plan, at.service, at.accounts, at.trigger]) {
    await go(path)
    const words = await page.locator('main').innerText()
    t.notMatch(words, /[0-9a-f]{8}-[0-9a-f]{4}-|~|\bAmbient\b/, path)
  }
  t.match(await page.locator('main').innerText(), /every weekday at 8:00\sAM, Europe\/Berlin/)
})

t.test('a program that asks to be let in is in order in both themes and three widths', async (t) => {
  await page.goto(connect)
  await page.waitForURL('**/#/connect/*')
  await page.locator('main form').waitFor()
  await judgeAll(t, 'connect')
})

t.test('every tab of a page is in order, narrow and dark', async (t) => {
  t.ok(tabs.size > 30, `${tabs.size} tabs`)
  for (const [path, name] of tabs) {
    await go(path)
    await arrange(name, 'light', widths[2])
    await judge(t, name, 'dark', widths[0])
    t.same(faults.splice(0), [], `${name}: what the browser complains of`)
  }
})
