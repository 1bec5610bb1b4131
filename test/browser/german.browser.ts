import t from 'tap'
import type { Page } from 'playwright-core'
import { formsOf, loadCatalogue } from '../guards/catalogue.js'
import { openWindow, signIn, startClient } from './browser.js'

const { app, url } = await startClient(t)
const german = await openWindow(t, { locale: 'de-DE' })
await signIn(german, app, url)
const { page } = german

const [en, de] = await Promise.all([loadCatalogue('en'), loadCatalogue('de')])
const isLong = (text: string): boolean => text.split(' ').length > 2
/** English texts that are no German ones, without what stands in their slots. */
const english = new Set(Object.entries(en).flatMap(([key, text]) => {
  const own = new Set(formsOf(de[key] ?? ''))
  return formsOf(text).filter((form) => isLong(form) && !own.has(form) && !form.includes('{'))
}))

const settings = ['tokens', 'assistants', 'channels', 'passkeys', 'preferences', 'away', 'grants', 'members', 'groups',
  'identity', 'policies', 'connections', 'tools', 'record', 'workspaces']
const paths = ['shared', 'inbox', 'triggers', 'reports', 'accounts', 'costs', 'containers', 'functions', 'apps',
  'repositories', 'specs', 'standards', 'content', 'content/desk', 'content/calendar', 'briefs', 'projects',
  ...settings.map((part) => `settings/${part}`)]

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

for (const path of paths) {
  t.test(`/${path} says nothing in English, and no key, in a German browser`, async (t) => {
    await page.goto(`${url}/#/${path}`)
    await page.reload()
    await page.locator('main h1, main textarea').first().waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    const texts = await readTexts(page)
    t.ok(texts.includes('Eingang'), 'the menu is German')
    t.same(texts.filter((text) => english.has(text) || text in en), [])
  })
}

t.test('a text of the English catalogue would be found', async (t) => {
  await page.goto(`${url}/#/inbox`)
  await page.evaluate("document.querySelector('main').append('Nothing waits for you')")
  t.ok((await readTexts(page)).some((text) => english.has(text)))
})
