import t from '../tap.js'
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

const settings = ['members', 'connections', 'workspaces'].map((part) => `settings/${part}`)
/** Pages with tables that have rows. */
const paths: readonly string[] = [at.app, at.costs, at.apps, at.services, at.repositories, at.repository,
  at.specs, at.standards, at.triggers, at.trigger, at.reports, at.contents, at.briefs, at.projects, at.service,
  `${at.spec}/checks`, `${at.spec}/inputs`, `${at.spec}/versions`, `${at.repository}/pulls`, ...settings]

for (const path of paths) {
  const name = path.replace(/[0-9a-f-]{36}/g, '').replace(/\W+/g, '-')
  t.test(`${name}: on a phone each row of its tables is a card, and nothing scrolls sideways`, async (t) => {
    await visit(page, `${url}/#/${path}`)
    await page.locator('main .table tbody tr').first().waitFor()
    t.same(await page.evaluate(wide), [])
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    const named = page.locator('main .table.row-cards tbody tr').first().locator('td[data-name]')
    const names = await named.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-name')))
    t.ok(names.length > 0 && !names.includes(''), 'what stands without its heading says what it is')
    t.same(await seriousFindings(page), [])
    await shoot(page, `${name}-cards`)
  })
}
