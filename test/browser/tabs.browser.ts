import t from '../tap.js'
import { say, wantsToScale } from '../flows/asking.js'
import { scripted } from '../chat.js'
import { listen, sendMessage, startClient, visit } from './browser.js'
import { cardsOf } from './cards.js'

/** Over http a browser opens six connections to Steward, for all tabs together; all tabs of Playwright are visible. */
const steward = await startClient(t)
const { anthropic, url, page, complaints } = steward
const { web, count, isDone } = await cardsOf(steward)
const logs = `${url}/#/services/${encodeURIComponent(web)}/logs`

t.test('a seventh tab opens beside six that follow streams, and the first one decides and goes on', async (t) => {
  await sendMessage(page, scripted(anthropic, [wantsToScale([web, 5]), say('Five of them.')]))
  await page.locator('.approval.pending').waitFor()
  const tabs = []
  for (let index = 0; index < 5; index++) {
    const tab = await page.context().newPage()
    tabs.push([tab, listen(tab)] as const)
    await tab.goto(logs)
    await tab.getByRole('heading', { level: 1 }).waitFor()
  }
  const seventh = await page.context().newPage()
  const heard = listen(seventh)
  await visit(seventh, `${url}/#/projects`, 'Projects')
  await page.locator('.approval.pending').getByRole('button', { name: /^Approve/ }).first().click()
  await page.getByText('Five of them.').waitFor()
  await isDone()
  t.equal(await count(), 5)
  t.same([...complaints, ...heard, ...tabs.flatMap(([, complaint]) => complaint)], [])
})
