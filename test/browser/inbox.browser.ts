import t from '../tap.js'
import { until } from '../chat.js'
import { read } from '../flows/asking.js'
import {
  confirmationOf, decideAs, makeGroup, makePeople, proposeProject, requireApprovals, type Person
} from '../flows/voting.js'
import { choose, judgeDark, openWindow, seriousFindings, shoot, startClient, visit } from './browser.js'
import { cardsOf } from './cards.js'

const steward = await startClient(t)
const { app, url, page, complaints } = steward
const { ask, isDone, card, decided, web, scale } = await cardsOf(steward)
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const admin = { id: app.home.admin_id, name: 'Administrator' }
const operations = await makeGroup(app, 'Operations', [{ id: admin.id, headers: {} }, ada, bea])
const twoOf = { approvals: 2, groups: [operations], exclude_requester: true }

const propose = async (name: string, by: Person = ada) => {
  const call = await proposeProject(app, by.headers, name)
  await requireApprovals(app, call.confirmation.id, twoOf)
  return call
}
const main = page.locator('main')
const tab = (name: string) => page.getByRole('navigation', { name: 'Views of approvals' }).getByRole('link', { name })
const row = (text: string) => main.getByRole('row').filter({ hasText: text })

t.test('an empty view offers what fills it', async (t) => {
  await visit(page, `${url}/#/inbox`, 'Approvals')
  await page.getByText('Nothing waits for you').waitFor()
  await page.getByRole('link', { name: 'Ask the assistant' }).click()
  await page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  t.match(page.url(), /#\/$/)
})

t.test('what others ask waits for me, says whom it needs, and my approval by keyboard is a vote', async (t) => {
  const { confirmation: { id } } = await propose('Harbour')
  await visit(page, `${url}/#/inbox`, 'Approvals')
  await card.getByText('Waits for 2 more of group Operations').waitFor()
  t.match(await main.getByRole('listitem').first().textContent(), /Asked .* by Ada/)
  await main.getByRole('link', { name: 'Open' }).press('Enter')
  await page.getByRole('region', { name: 'Details' }).waitFor()
  t.match(page.url(), new RegExp(`/inbox/${id}$`))
  await page.locator('dd').getByText('2 people of Operations, not Ada').waitFor()
  t.same(await seriousFindings(page), [])
  await card.focus()
  await page.keyboard.press('a')
  await card.getByText(/Approved by Administrator. Nothing was done yet: it waits for 1 more/).waitFor()
  await page.getByRole('list', { name: 'Votes' }).getByText('Administrator').waitFor()
  t.equal(await card.getByRole('button', { name: 'Approve' }).count(), 0, 'nobody votes twice')
  await shoot(page, 'question')
  t.match((await confirmationOf(app, ada, id)).votes, [{ person: { name: 'Administrator' }, decision: 'approve' }])
})

t.test('letters decide the one card in view without a focus in it, and none while a field has the focus', async (t) => {
  const { confirmation: { id } } = await propose('Jetty')
  await page.goto(`${url}/#/inbox/${id}`)
  await page.getByRole('region', { name: 'Details' }).waitFor()
  const caps = card.locator('kbd').first()
  await caps.waitFor()
  await page.waitForTimeout(700)
  await page.locator('main').focus()
  await page.keyboard.press('a')
  await card.getByText(/Approved by Administrator. Nothing was done yet: it waits for 1 more/).waitFor()
  const next = await propose('Mole')
  await visit(page, `${url}/#/inbox?q=Mole`, 'Approvals')
  await caps.waitFor()
  await page.waitForTimeout(700)
  await page.getByRole('searchbox').focus()
  await caps.waitFor({ state: 'hidden' })
  await page.keyboard.press('a')
  t.match(await confirmationOf(app, ada, next.confirmation.id), { votes: [] })
})

t.test('what was decided by others is listed, narrowed by filters that the address keeps', async (t) => {
  const late = await propose('Lighthouse')
  await decideAs(app, bea, late, false, { reason: 'Not this year' })
  await visit(page, `${url}/#/inbox`, 'Approvals')
  await tab('Decided').press('Enter')
  await row('Lighthouse').getByText('Not this year').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('approved')
  await page.getByText('No matches').waitFor()
  t.match(page.url(), /#\/inbox\?view=decided&status=approved$/)
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter')
  await row('Lighthouse').waitFor()
  await tab('All').click()
  await row('Harbour').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('light')
  await row('Harbour').waitFor({ state: 'detached' })
  await row('Lighthouse').waitFor()
  await choose(page.getByRole('combobox', { name: 'Decided by' }), 'Bea')
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('createProject')
  await page.reload()
  await row('Lighthouse').waitFor()
  t.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'light', 'also after a reload')
  t.equal(await row('Harbour').count(), 0)
  t.match(page.url(), new RegExp(`view=all&q=light&decided=${bea.id}&tool=createProject$`))
  await shoot(page, 'inbox-all')
  t.same(await seriousFindings(page), [])
})

t.test('words ask for changes; they survive a reload, and the thread has them', async (t) => {
  await scale(2)
  await ask(9)
  await visit(page, `${url}/#/inbox`, 'Approvals')
  const mine = main.locator('.approval.pending').filter({ hasText: 'to 9' })
  await mine.waitFor()
  await mine.focus()
  await page.keyboard.press('c')
  await page.locator('.approval-words textarea:focus').waitFor()
  await page.keyboard.type('Use three tasks')
  await page.reload()
  t.equal(await mine.getByRole('textbox', { name: 'What should be different?' }).inputValue(), 'Use three tasks')
  await shoot(page, 'ask-for-changes')
  t.same(await seriousFindings(page), [])
  await mine.getByRole('button', { name: 'Ask for changes' }).press('Enter')
  await mine.waitFor({ state: 'detached' })
  await tab('Asked by me').click()
  await row('to 9').getByText('Asked for changes: Use three tasks').waitFor()
  await row('to 9').getByRole('link').first().click()
  await decided.getByText('Use three tasks').waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('a rejection has its reason, and what asks again is on one thread with what it follows', async (t) => {
  const call = await propose('Pier')
  await decideAs(app, bea, call, false, { changes: 'Call it Quay' })
  await until(async () => (await confirmationOf(app, ada, call.confirmation.id)).status === 'rejected')
  let id = ''
  await until(async () => {
    const payload = { name: 'createProject', arguments: { name: 'Quay' }, follows: call.confirmation.id }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls', headers: ada.headers, payload })
    if (answer.statusCode === 202) id = answer.json().confirmation.id
    return id !== ''
  })
  await requireApprovals(app, id, twoOf)
  await visit(page, `${url}/#/inbox/${id}`, 'Create project')
  const thread = page.getByRole('region', { name: 'History' })
  await thread.getByText('Bea asked for changes: Call it Quay').waitFor()
  await shoot(page, 'thread')
  t.same(await seriousFindings(page), [])
  await card.focus()
  await page.keyboard.press('w')
  await page.locator('.approval-words textarea:focus').waitFor()
  await page.keyboard.type('No more projects')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await decided.getByText('No more projects').waitFor()
  t.match(await confirmationOf(app, ada, id), {
    status: 'rejected', reason: 'No more projects', decided_by: { id: admin.id }
  })
  await thread.getByRole('link').first().click()
  await decided.getByText('Call it Quay').waitFor()
  t.match(page.url(), new RegExp(`${call.confirmation.id}$`))
})

t.test('what I ask and may not approve waits for others', async (t) => {
  const [cem] = await makePeople(app, ['Cem']) as [Person]
  const group = await makeGroup(app, 'Leads', [cem])
  await ask(8)
  const [waiting] = (await read(app, '/api/v1/agent/confirmations?q=to%208')).items
  await requireApprovals(app, waiting.id, { approvals: 1, groups: [group], exclude_requester: true })
  await visit(page, `${url}/#/inbox?view=others`, 'Approvals')
  const mine = main.locator('.approval.pending').filter({ hasText: 'to 8' })
  await mine.getByText('Waits for 1 more of group Leads').waitFor()
  t.same(await mine.getByRole('button').allTextContents(),
    ['Reject R', '…'])
  await mine.focus()
  await page.keyboard.press('r')
  await mine.waitFor({ state: 'detached' })
})

t.test('right after an approval, the same may be allowed for thirty minutes', async (t) => {
  await scale(2)
  await ask(4)
  await card.focus()
  await page.keyboard.press('a')
  await page.locator('.call.succeeded').waitFor()
  await isDone()
  await page.getByRole('button', { name: 'Allow the same for 30 minutes' }).press('Enter')
  await page.getByText('Exactly this change may run again without asking').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'grant-given')
  t.match((await read(app, '/api/v1/agent/grants')).items, [{ tool: 'scaleService', live: true, target: { id: web } }])
})

t.test('a decision shows at once that it is sent, and the card then follows its write to its end', async (t) => {
  await scale(2)
  await ask(6)
  await visit(page, `${url}/#/inbox?q=to%206`, 'Approvals')
  await card.waitFor()
  let send = () => {}
  const held = new Promise<void>((resolve) => { send = resolve })
  await page.route('**/api/v1/agent/confirm', async (route) => {
    await held
    await route.continue()
  }, { times: 1 })
  let answer = () => {}
  const running = new Promise<void>((resolve) => { answer = resolve })
  await page.route(/\/confirmations\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    await running
    // As it is when the write takes longer than the answer.
    await route.fulfill({ response, json: { ...json, outcome: { ...json.outcome, status: 'running', finished_at: null } } })
  }, { times: 2 })
  await card.getByRole('button', { name: 'Approve' }).click()
  await card.getByText('Sending your decision …').waitFor()
  t.ok(await card.getByRole('button', { name: 'Approve' }).isDisabled())
  await shoot(page, 'approval-sending')
  send()
  answer()
  await decided.getByText('succeeded', { exact: true }).waitFor()
  await decided.getByRole('link', { name: 'ECS service web' }).waitFor()
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  t.equal(await decided.getByText('succeeded', { exact: true }).count(), 1, 'what has ended stays')
  await shoot(page, 'approval-followed')
  t.same(await seriousFindings(page), [])
  await decided.getByRole('link', { name: 'ECS service web' }).click()
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor()
})

t.test('a rejection asks for no reason, and takes one', async (t) => {
  await scale(2)
  await ask(7)
  await visit(page, `${url}/#/inbox?q=to%207`, 'Approvals')
  await card.focus()
  await page.keyboard.press('w')
  await page.getByRole('textbox', { name: 'Reason (optional)' }).waitFor()
  const sent = page.waitForRequest('**/api/v1/agent/confirm')
  await page.getByRole('button', { name: 'Reject', exact: true }).press('Enter')
  t.equal((await sent).postDataJSON().reason, undefined)
  await decided.getByText('nothing was executed').waitFor()
})

t.test('the inbox and a question fit into 375 px, in the dark', async (t) => {
  const { confirmation: { id } } = await propose('Beacon')
  const small = await openWindow(t, {
    viewport: { width: 375, height: 740 }, colorScheme: 'dark', storageState: await page.context().storageState()
  })
  const pages = [['inbox', 'inbox'], ['inbox?view=all', 'inbox-all'], [`inbox/${id}`, 'question']] as const
  for (const [path, name] of pages) {
    await visit(small.page, `${url}/#/${path}`)
    await small.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await small.page.setViewportSize({ width: 375, height: 740 })
    t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 375, path)
    await shoot(small.page, `${name}-375-dark`)
    await judgeDark(t, small.page, path)
  }
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
