import t from '../tap.js'
import { actor, makeProject, setBrand } from '../routes/content/actors.js'
import { shoot, startClient } from './browser.js'
import { keysOf } from './keys.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const { press, type, open, goTo, goBackTo, use, write, choose, select, approve, gone } = keysOf(page)
const project = await makeProject(app, 'Larkspur shop')
await setBrand(app, project, {
  min_score: 0,
  approval: { self_approval: true },
  publish_targets: [{ kind: 'feed', name: 'Our feed', config: {} }]
})

/** The tenth of the next month, as a person types it into a field of a time. */
const typeNextMonth = async () => {
  const now = new Date()
  const then = new Date(now.getFullYear(), now.getMonth() + 1, 10)
  await type(`${String(then.getMonth() + 1).padStart(2, '0')}10${then.getFullYear()}`)
  await press('ArrowRight')
  await type('0930AM')
}

t.test('content is written, checked, sent for review, approved and published through the card', async (t) => {
  await open(`${url}/#/content`, 'Content')
  await use('Write')
  await choose('Project', 'Larkspur')
  await write('Title', 'Pay with one tap')
  await use('Create')
  await gone()
  await main.getByRole('heading', { level: 1, name: 'Pay with one tap' }).waitFor()
  await write('Text, in Markdown', 'Returning customers pay with one tap.\n\nNothing has to be installed.')
  await use('Check now')
  await main.getByText(/Score \d+/).waitFor()
  await use('Save as a new version')
  await main.locator('.marked-text').first().waitFor()
  await use('Ask for review')
  await main.getByRole('button', { name: 'Approve' }).waitFor()
  await page.locator('.page-head:focus').waitFor()
  await press('Enter')
  t.match((await actor(app).json('/')).items, [{ status: 'in_review' }], 'a second Enter approves nothing')
  await use('Approve')
  await main.getByRole('button', { name: 'Publish' }).waitFor()
  await use('Publish')
  await approve()
  await press('Enter')
  await gone()
  await main.locator('tbody').getByText('succeeded').waitFor()
  await shoot(page, 'content-by-keyboard')
  const { items: [made] } = await actor(app).json('/')
  t.match(made, { title: 'Pay with one tap', status: 'published' })
})

t.test('what is approved is scheduled, and found in the calendar', async (t) => {
  await open(`${url}/#/content`, 'Content')
  await use('Pay with one tap')
  await main.getByRole('heading', { level: 1, name: 'Pay with one tap' }).waitFor()
  await use('Edit')
  await write('Text, in Markdown', 'Returning customers pay with one tap, and see what they paid.')
  await use('Save as a new version')
  await main.locator('.marked-text').first().waitFor()
  await use('Ask for review')
  await main.getByRole('button', { name: 'Approve' }).waitFor()
  await use('Approve')
  await main.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  await use('Publish')
  await select('When', 'At')
  await press('Tab')
  await typeNextMonth()
  await approve()
  await press('Enter')
  await gone()
  await goBackTo('Content')
  await press('Enter')
  await main.getByRole('heading', { level: 1, name: 'Content' }).waitFor()
  await use('Calendar')
  await main.getByRole('heading', { level: 2 }).first().waitFor()
  await use('Next month')
  await main.getByRole('region', { name: 'Month' }).or(main.locator('.month'))
    .getByRole('link', { name: 'Pay with one tap' }).waitFor()
  await goBackTo('Previous month')
  await goTo('Next month')
  await use('Pay with one tap')
  await main.getByRole('heading', { level: 1, name: 'Pay with one tap' }).waitFor()
  t.same(complaints, [])
})
