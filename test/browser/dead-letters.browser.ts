import t from '../tap.js'
import { decideAs, makePeople, proposeProject, type Person } from '../flows/voting.js'
import { callerOf, retryNow, startReceiver, work } from '../routes/channels/world.js'
import { judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const steward = await startClient(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const { app, url, page, complaints } = steward
const [bea] = await makePeople(app, ['Bea']) as [Person]
const call = callerOf(app)
const receiver = await startReceiver(t)
const all = page.getByRole('region', { name: 'Not delivered to people of the workspace' })
const open = () => visit(page, `${url}/#/settings/channels`, 'Settings')

/** Bea's pager refuses what she is asked, until it is given up. */
const giveUp = async (name: string) => {
  receiver.state.status = 422
  const asked = await proposeProject(app, bea.headers, name)
  await work(app)
  for (let round = 0; round < 3; round++) await retryNow(app)
  return asked
}

await call(bea.headers, 'POST', '', { kind: 'webhook', name: 'Pager', address: receiver.url, events: ['asked'] })

t.test('an admin sees what nobody hears of any more: whose, what and why, and not where to', async (t) => {
  await open()
  await page.getByText('No notification channels').waitFor()
  t.equal(await all.count(), 0, 'nothing was given up')
  await giveUp('Harbour')
  await open()
  const row = all.getByRole('row').filter({ hasText: 'Bea' })
  await row.getByText('Signed webhook').waitFor()
  t.match((await row.getByRole('cell').allTextContents()).slice(0, 4),
    ['Approval asked', 'Bea, Signed webhook', 'just now', /It answered 422.*\(3 attempts\)/])
  t.notMatch(await page.content(), receiver.url)
  t.same(await seriousFindings(page), [])
  await shoot(page, 'dead-letters')
})

t.test('whoever should have heard it sees it below the channel, and nothing of others', async (t) => {
  const hers = await openWindow(t)
  await signIn(hers, app, url, bea.id)
  await visit(hers.page, `${url}/#/settings/channels`, 'Settings')
  const own = hers.page.getByRole('region', { name: 'Not delivered to Pager' })
  await own.getByText('It answered 422').waitFor()
  t.equal(await hers.page.getByText('people of the workspace').count(), 0)
  await shoot(hers.page, 'dead-letters-own')
  await own.getByRole('link', { name: 'Approval asked' }).press('Enter')
  await hers.page.getByRole('heading', { level: 1, name: 'Create project' }).waitFor()
  t.same(hers.complaints, [])
})

t.test('what is sent again by the keyboard arrives, and leaves the list', async (t) => {
  receiver.state.status = 204
  const before = receiver.got.length
  await all.getByRole('button', { name: 'Send again: Approval asked to Bea' }).press('Enter')
  await all.waitFor({ state: 'detached' })
  await app.jobs.drain()
  t.same(receiver.got.slice(before).map(({ body }) => JSON.parse(body).type), ['approval.asked'])
})

t.test('what fails again is back in the list; both fit on a phone, in the dark', async (t) => {
  const asked = await giveUp('Lighthouse')
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  await visit(small.page, `${url}/#/settings/channels`, 'Settings')
  await small.page.getByRole('button', { name: 'Send again: Approval asked to Bea' }).waitFor()
  await judgeDark(t, small.page, 'dead letters')
  await small.page.getByRole('button', { name: 'Send again: Approval asked to Bea' }).scrollIntoViewIfNeeded()
  await shoot(small.page, 'dead-letters-small-dark')
  await decideAs(app, bea, asked, false)
  t.same([...complaints, ...small.complaints], [])
})
