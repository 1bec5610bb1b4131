import t from '../tap.js'
import { openWindow, signIn, startClient } from './browser.js'

const { app, url } = await startClient(t)
const german = await openWindow(t, { locale: 'de-DE' })
await signIn(german, app, url)
const { page } = german

t.test('a page that is opened offline comes with its styles when the network does, in German too', async (t) => {
  await page.goto(`${url}/#/`)
  await page.locator('main textarea').waitFor()
  t.match(await page.locator('link[rel=manifest]').getAttribute('href'), /manifest\.de\.webmanifest$/)
  await page.context().setOffline(true)
  await page.evaluate("location.hash = '#/inbox'")
  await page.getByText('Steward ist nicht erreichbar').waitFor()
  await page.context().setOffline(false)
  await page.locator('main h1', { hasText: 'Freigaben' }).waitFor()
  await page.getByText('Steward ist nicht erreichbar').waitFor({ state: 'detached' })
  const icon = page.locator('.combobox svg').first()
  await icon.waitFor()
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('.combobox svg')).position"), 'absolute')
})
