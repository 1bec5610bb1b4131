import t from '../tap.js'
import { startChatApp } from '../chat.js'
import { read, serviceId } from '../flows/asking.js'
import { linkFor, openWindow, seriousFindings } from './browser.js'
import { keysOf } from './keys.js'

interface Words { locale: string, open: string, starter: string, card: RegExp, done: RegExp }

const english: Words = {
  locale: 'en-GB',
  open: 'Open Steward',
  starter: 'Scale web to 4',
  card: /Scale service web/,
  done: /^Done: web goes from 2 to 4 tasks; \d run now\.$/
}
const german: Words = {
  locale: 'de-DE',
  open: 'Steward öffnen',
  starter: 'Skaliere web auf 4',
  card: /Service web .* skalieren/,
  done: /^Erledigt: web/
}

for (const words of [english, german]) {
  t.test(`${words.locale}: from the link of the first start to an approved write, by the keyboard alone`, async (t) => {
    const { app, url } = await startChatApp(t, { SANDBOX: 'auto' })
    const { page, complaints } = await openWindow(t, { locale: words.locale })
    const keys = keysOf(page)
    const link = new URL(await linkFor(app))
    const begun = performance.now()
    await page.goto(`${url}${link.pathname}${link.hash}`)
    await page.locator('#use').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: words.open }).waitFor()
    await page.keyboard.press('Tab')
    await keys.use(words.open)
    await page.getByRole('button', { name: words.starter }).waitFor()
    await page.keyboard.press('Tab')
    await keys.use(words.starter)
    const card = page.locator('.approval.pending')
    await card.filter({ hasText: words.card }).waitFor()
    t.match((await card.locator('.preview td').allTextContents()).join(' '), /2.*4/, 'what is, and what would be')
    t.same(await seriousFindings(page), [])
    const path = `/infrastructure/containers/services/${encodeURIComponent(await serviceId(app, 'web'))}`
    t.equal((await read(app, path)).desired_count, 2, 'nothing has run')
    await page.keyboard.press('Alt+a')
    await card.and(page.locator(':focus-within')).waitFor()
    await page.keyboard.press('a')
    await page.getByText(words.done).waitFor()
    t.comment(`${Math.round(performance.now() - begun)} ms, of which a person would read most`)
    t.equal((await read(app, path)).desired_count, 4)
    await page.locator('.approval:not(.pending)').filter({ hasText: words.card }).waitFor()
    t.same(complaints, [])
  })
}
