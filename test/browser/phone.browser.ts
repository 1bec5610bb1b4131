import t from 'tap'
import { openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'
import { furnish } from './furnished.js'

const steward = await startClient(t)
const { app, url } = steward
const { at } = await furnish(t, steward)
const phone = await openWindow(t, { viewport: { width: 360, height: 740 } })
const { page } = phone
await signIn(phone, app, url)

/** The tables whose rows do not fit beside each other on the screen. */
const wide = `[...document.querySelectorAll('main .table')]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent.slice(0, 60))`

for (const [name, path] of [['app', at.app], ['costs', at.costs]] as const) {
  t.test(`${name}: on a phone each row of its tables is a card, and nothing scrolls sideways`, async (t) => {
    await visit(page, `${url}/#/${path}`)
    await page.locator('main .table tbody tr').first().waitFor()
    t.same(await page.evaluate(wide), [])
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    const row = page.locator('main .table.row-cards tbody tr').first()
    t.ok(await row.getByRole('link').isVisible())
    const names = await row.locator('td[data-name]').evaluateAll((cells) =>
      cells.map((cell) => cell.getAttribute('data-name')))
    t.ok(names.length > 1 && !names.includes(''), 'what stands without its heading says what it is')
    t.same(await seriousFindings(page), [])
    await shoot(page, `${name}-cards`)
  })
}
