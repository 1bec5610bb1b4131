import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from '../tap.js'
import type { Page } from 'playwright-core'
import { formsOf, loadCatalogue, loadServerWords } from '../guards/catalogue.js'
import { openWindow, signIn, startClient } from './browser.js'
import { furnish } from './furnished.js'

const steward = await startClient(t)
const { app, url } = steward
const { at, connect } = await furnish(t, steward)
const german = await openWindow(t, { locale: 'de-DE' })
await signIn(german, app, url)
const { page } = german
const folder = join(process.cwd(), 'dist', 'screenshots', 'german')
mkdirSync(folder, { recursive: true })

const [en, de] = await Promise.all([loadCatalogue('en'), loadCatalogue('de')])
const germanForms = new Set(Object.values(de).flatMap(formsOf))
/** Forms that are no German ones of any key: nobody can say of which language a word is that both have. */
const english = Object.values(en).flatMap(formsOf).filter((form) => !germanForms.has(form))
/** What the workspace and its data are called, though a text of the catalogue is the same. */
const data = new Set(['Workspace', 'healthy', 'Running', 'Brief', 'post'])
/** A weekday in German. */
const others = new Set(['Do'])
const words = new Set(english.map((form) => form.trim())
  .filter((form) => !form.includes('{') && !data.has(form) && !others.has(form)))

/** What the server says in English, as far as it is written for people. */
const ofTheServer = Object.entries(await loadServerWords('de'))
  .filter(([kind]) => ['rows', 'plans', 'services', 'findings'].includes(kind))
  .flatMap(([, texts]) => Object.entries(texts))
  .flatMap(([text, other]) => text === other || germanForms.has(text) || data.has(text) ? [] : [text])

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** A text with slots, of which enough is left to know it. */
const isRecognizable = (form: string): boolean =>
  form.includes('{') && /\p{L}{2,} \p{L}{2,}/u.test(form.replace(/\{\w+\}/g, '|'))
const patterns = [...english, ...ofTheServer.filter((text) => text.includes('{'))].filter(isRecognizable)
  .map((form) => new RegExp(`^${form.trim().split(/\{\w+\}/).map(escape).join('.*')}$`, 'u'))

const sentences = new Set(ofTheServer)
const isEnglish = (text: string): boolean =>
  words.has(text) || sentences.has(text) || patterns.some((pattern) => pattern.test(text))
const isLeft = (text: string): boolean => text in en || isEnglish(text)

/** @returns every text of the page, and what its attributes say */
const readTexts = (of: Page): Promise<string[]> => of.evaluate(`(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) found.push(walker.currentNode.data.replace(/\\s+/g, ' ').trim())
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
    for (const name of ['aria-label', 'placeholder', 'title']) found.push(element.getAttribute(name) ?? '')
  }
  return found.filter((text) => text !== '')
})()`)

/** What the server says is loaded after the page, or with the first of it: a word may be English for a moment. */
const leftOn = async (of: Page, most = 0, tries = 50): Promise<string[]> => {
  const left = (await readTexts(of)).filter(isLeft)
  if (left.length <= most || tries === 0) return left
  await sleep(100)
  return leftOn(of, most, tries - 1)
}

const settings = ['tokens', 'assistants', 'channels', 'passkeys', 'preferences', 'away', 'grants', 'members', 'groups',
  'identity', 'policies', 'connections', 'tools', 'record', 'workspaces'].map((part) => `settings/${part}`)
const contentTabs = ['text', 'comments', 'preview', 'edit', 'versions', 'compare', 'repairs', 'translation',
  'publications']
const specTabs = ['requirements', 'checks', 'trace', 'inputs', 'versions']
const brandTabs = ['voice', 'terms', 'rules', 'targets', 'whole']

/** Every page with data in it, each with its parts. The page of components is for developers, in English. */
const { components: _, ...pages } = at
const paths: Record<string, string> = {
  start: '',
  ...pages,
  newBrief: 'briefs/new',
  ...Object.fromEntries(contentTabs.map((tab) => [`content-${tab}`, `${at.content}/${tab}`])),
  ...Object.fromEntries(specTabs.map((tab) => [`spec-${tab}`, `${at.spec}/${tab}`])),
  ...Object.fromEntries(brandTabs.map((tab) => [`brand-${tab}`, `${at.brand}/${tab}`])),
  ...Object.fromEntries(settings.map((path) => [path.replace('/', '-'), path]))
}

const widths = [[360, 740], [1280, 820]] as const

for (const [name, path] of Object.entries(paths)) {
  t.test(`/${path.replace(/[0-9a-f-]{36}/g, '…')} (${name}) says nothing in English, and no key, in German`, async (t) => {
    await page.goto(`${url}/#/${path}`)
    await page.reload()
    await page.locator('main h1, main textarea').first().waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    const texts = await readTexts(page)
    t.ok(texts.includes('Freigaben'), 'the menu is German')
    t.same(await leftOn(page), [])
    for (const [width, height] of widths) {
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: join(folder, `${name}-${width}.png`), animations: 'disabled', fullPage: true })
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${width}: nothing scrolls sideways`)
    }
  })
}

t.test('the pages of signing in are German, before and after it', async (t) => {
  const visitor = await openWindow(t, { locale: 'de-DE' })
  const textOf = async (path: string, shown: string): Promise<string> => {
    await visitor.page.goto(`${url}/${path}`)
    await visitor.page.getByText(shown).waitFor()
    return visitor.page.locator('main').innerText()
  }
  t.match(await textOf('sign-in', 'Anmelden mit'), /^Steward\s+Anmelden mit \S.*\s+Die Sandbox spielt den Code-Host nach/)
  await textOf('setup#token=wrong', 'Dieser Link meldet dich hier an, einmal.')
  await visitor.page.getByRole('button', { name: 'Anmelden' }).click()
  await visitor.page.getByText('Du bist nicht angemeldet').waitFor()
  t.match(await visitor.page.locator('main').innerText(), /Für einen neuen Link starte Steward neu, .*Auch ein Admin/)
  await signIn(visitor, app, url)
  t.match(await textOf('setup', 'Steward öffnen'), /^Steward\s+Angemeldet als .* in .*\s+Steward öffnen\s+Für Programme: ein API-Token\s+Alle Operationen\s+Anders anmelden$/)
  t.match(await textOf('sign-in', 'Abmelden'), /Angemeldet als .*Dein Konto verbinden.*API-Tokens/s)
  t.equal(await visitor.page.evaluate('document.documentElement.lang'), 'de')
})

t.test('the page on which a program asks to be let in is German', async (t) => {
  await page.goto(connect)
  await page.locator('main h1').first().waitFor()
  t.same((await readTexts(page)).filter(isLeft), [])
})

t.test('a text of the English catalogue would be found, also with a value in it', async (t) => {
  await page.goto(`${url}/#/inbox`)
  await page.locator('main h1').first().waitFor()
  const before = await leftOn(page)
  await page.evaluate("document.querySelector('main').append('Nothing waits for you')")
  await page.evaluate("document.querySelector('h1').append('You have text here that was not saved.')")
  const withValue = 'This publishes version 7 as approved, without later edits.'
  await page.evaluate(`document.querySelector('h1').title = ${JSON.stringify(withValue)}`)
  t.same(before, [])
  t.equal((await leftOn(page, 3)).length, 3)
})
