import t from '../tap.js'
import { confirm, scripted, until } from '../chat.js'
import { read, say as answers, serviceId, timesScaled, wantsToScale } from '../flows/asking.js'
import { makePeople, requireApprovals, type Person } from '../flows/voting.js'
import { judgeDark, openWindow, sendMessage, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'
import { cardsOf, cells, holdsFocus } from './cards.js'

const steward = await startClient(t)
const { app, anthropic, url, page, complaints } = steward
const { web, card, post, scale, count, inbox, steer, isDone } = await cardsOf(steward)
const search = await serviceId(app, 'search')
const pathOf = (id: string) => `/infrastructure/containers/services/${encodeURIComponent(id)}`
const scaleSearch = (desired_count: number) => post(`${pathOf(search)}/scale`, { desired_count })
const [admin] = await makePeople(app, ['Mia'], 'admin') as [Person]
const plan = page.locator('.approval.pending').filter({ has: page.locator('.steps') })
const steps = page.locator('.steps > li')
const stepNumber = (step: number) => steps.nth(step - 1)
const name = (button: string) => plan.getByRole('button', { name: button })

/** Sends a message in a new chat, so that the assistant wants several writes, and waits for their offer. */
const askFor = async (...inputs: [string, number][]) => {
  await scale(2)
  await scaleSearch(2)
  await visit(page, `${url}/#/`)
  await sendMessage(page, scripted(anthropic, [wantsToScale(...inputs), answers('All right.')]))
  await page.getByText(`${inputs.length} changes of this turn wait for a decision.`).waitFor()
}
const openPlan = async () => {
  await page.getByRole('link', { name: 'Review as one plan' }).press('Enter')
  await plan.waitFor()
}
const badges = () => steps.locator('.badge').allTextContents()

t.test('three writes of a turn are one plan, each step on what those before it leave, decided at once', async (t) => {
  await askFor([web, 4], [search, 7], [web, 8])
  t.same(await seriousFindings(page), [])
  await shoot(page, 'plan-offer')
  await openPlan()
  await page.getByRole('heading', { level: 1, name: 'Plan of 3 steps' }).waitFor()
  t.same(await steps.getByRole('heading', { level: 2 }).allTextContents(), [
    '1Step 1: Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4',
    '2Step 2: Scale service search in cluster prod (eu-west-1, account Sandbox) from 2 to 7',
    '3Step 3: Scale service web in cluster prod (eu-west-1, account Sandbox) from 4 to 8'
  ])
  t.same(await cells(plan), ['2', '', '4', '2', '', '7', '4', '', '8'])
  t.same(await steps.locator('.undo').allTextContents(),
    [2, 2, 4].map((before) => `To take it back: Scale it back to ${before}`), 'said before anything is decided')
  t.same(await steps.locator('.target strong').allTextContents(),
    ['web', 'search', 'web'].map((service) => `eu-west-1 / prod / ${service}`))
  await shoot(page, 'plan')
  t.same(await seriousFindings(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'plan')
  await shoot(page, 'plan-small-dark')
  await page.setViewportSize({ width: 1280, height: 820 })
  await page.emulateMedia({ colorScheme: 'light' })
  t.equal(await count(), 2)

  await plan.focus()
  await page.keyboard.press('a')
  await page.getByText('All 3 steps have succeeded.').waitFor()
  t.same(await badges(), ['succeeded', 'succeeded', 'succeeded'])
  t.same(await steps.locator('.undo').count(), 3, 'what can be undone is still said')
  t.same([await count(), await timesScaled(steward, search, 7)], [8, 1])
  t.same(await seriousFindings(page), [])
  await shoot(page, 'plan-done')
  await page.reload()
  await page.getByText('All 3 steps have succeeded.').waitFor()
  await page.getByRole('link', { name: 'To the conversation' }).click()
  await page.getByText('All right.').waitFor()
  t.equal(await page.getByText('changes of this turn wait').count(), 0)
  await page.getByText('Step 2 of 3 of a plan.').waitFor()
})

t.test('a step that meets another state than was shown stops the plan, and the page says which and why', async (t) => {
  await askFor([web, 4], [search, 6], [web, 9])
  await openPlan()
  const before = await timesScaled(steward, search, 6)
  await steer('faults', 'POST', { kind: 'slow', operation: 'UpdateService', match: '"web"', delay_ms: 2_500, times: 1 })
  await name('Approve all 3 steps').click()
  await page.getByText('It runs step by step: 0 of 3 have ended.').waitFor()
  await stepNumber(1).getByText('running').waitFor()
  t.same((await badges()).slice(1), ['waits its turn', 'waits its turn'])
  await shoot(page, 'plan-runs')
  await scaleSearch(3)
  await page.getByText('The plan stopped at step 2 of 3.').waitFor()
  t.same(await badges(), ['succeeded', 'not run', 'not run'])
  t.match(await stepNumber(2).textContent(), /Step 2 of 3 did not run, for the state or its approvals are not those/)
  t.match(await stepNumber(3).textContent(), /Step 2 of 3 stopped the plan/)
  t.match(await stepNumber(1).textContent(), /To take it back: Scale it back to 2/)
  t.same([await count(), await timesScaled(steward, search, 6)], [4, before])
  t.same(await seriousFindings(page), [])
  await shoot(page, 'plan-stopped')
  await stepNumber(3).getByRole('link', { name: 'See its approval' }).click()
  await page.getByText('the plan had stopped; nothing was executed').waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('a step whose outcome nobody knows stops the plan, and the page warns', async (t) => {
  await askFor([web, 5], [search, 5])
  await openPlan()
  await steer('faults', 'POST', { kind: 'drop', operation: 'UpdateService', executed: true, times: 1 })
  await name('Approve all 2 steps').click()
  await page.getByRole('alert').getByText('Step 1 was sent, and Steward does not know what became of it.').waitFor()
  t.same(await badges(), ['unknown', 'not run'])
  t.equal(await timesScaled(steward, search, 5), 0)
  t.same(await seriousFindings(page), [])
  await page.reload()
  await page.getByRole('alert').getByText('Look at its target before you do anything again.').waitFor()
})

t.test('no button approves a step of high risk that was not named', async (t) => {
  await askFor([web, 0], [search, 4])
  await openPlan()
  await plan.getByText('Step 1 is of high risk: approve it above first.').waitFor()
  t.same(await plan.getByRole('button').allTextContents(), ['Reject all R', 'Ask for changes C', 'Reject with a reason W'])
  await plan.focus()
  await page.keyboard.press('a')
  const box = plan.getByRole('checkbox', { name: 'I approve step 1, which is of high risk' })
  await box.focus()
  await page.keyboard.press('Space')
  await name('Approve all 2 steps').waitFor()
  t.equal(await count(), 2, 'the key did nothing before')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'plan-high-risk')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /\/steps$/.test(request.url()))
  await page.keyboard.press('a')
  t.match((await sent).postDataJSON(), { approved: true, high_risk: [1], input_digest: /^sha256:/ })
  await page.getByText('All 2 steps have succeeded.').waitFor()
  t.equal(await count(), 0)
})

t.test('what changes while the plan is open is not run over: nothing is decided, and what was named is asked again',
  async (t) => {
    await askFor([web, 0], [search, 4])
    await openPlan()
    const box = plan.getByRole('checkbox')
    await box.check()
    await scale(5)
    await name('Approve all 2 steps').click()
    await plan.getByText('The plan has changed since you saw it. Nothing was decided.').waitFor()
    await stepNumber(1).getByText(/from 5 to 0/).waitFor()
    t.equal(await box.isChecked(), false)
    t.equal(await name('Approve').count(), 0)
    await holdsFocus(plan)
    t.equal(await count(), 5)
    t.same(await seriousFindings(page), [])
    await plan.locator('button[aria-disabled="true"]').first().waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    const words = plan.getByRole('textbox', { name: 'What should be different?' })
    await holdsFocus(words)
    await words.fill('One task has to stay')
    t.same(await seriousFindings(page), [])
    await name('Ask for changes').click()
    await page.getByText('One task has to stay').first().waitFor()
    t.same([await inbox(), await count()], [[], 5])
  })

t.test('the inbox and the page of one question lead to the plan; a question alone is none', async (t) => {
  await askFor([web, 3], [search, 3])
  await visit(page, `${url}/#/inbox`, 'Approvals')
  await page.getByRole('link', { name: 'One plan of 2' }).first().waitFor()
  t.equal(await page.getByRole('link', { name: 'One plan of 2' }).count(), 2)
  await page.getByRole('link', { name: 'Open', exact: true }).first().click()
  await page.getByText('2 changes of this turn wait for a decision.').waitFor()
  t.same(await seriousFindings(page), [])
  await openPlan()
  const [waiting] = await inbox()
  await confirm(app, { session_id: waiting?.session_id, confirmation_id: waiting?.id, approved: false })
  await name('Approve all 2 steps').click()
  await page.getByText('This is not one of several changes that wait').waitFor()
  await page.getByRole('link', { name: 'See this approval' }).click()
  await page.getByRole('region', { name: 'Details' }).waitFor()
  t.equal(await page.getByText('changes of this turn wait').count(), 0)
  for (const { session_id, id: confirmation_id } of await inbox()) {
    await confirm(app, { session_id, confirmation_id, approved: false })
  }
})

t.test('a vote counts for the whole plan, which then waits for others; its steps have no approval of their own',
  async (t) => {
    await askFor([web, 3], [search, 3])
    for (const { id } of await inbox()) await requireApprovals(app, id, { approvals: 2, exclude_requester: false })
    await openPlan()
    await plan.getByText('2 people have to approve the whole plan.').waitFor()
    const address = page.url()
    await name('Approve all 2 steps').click()
    await plan.getByText('One more person has to approve the whole plan. Your approval does not count here.').waitFor()
    t.same([await name('Approve').count(), await count()], [0, 2])
    t.same(await seriousFindings(page), [])
    await page.goto(address.replace(/\/plan$/, ''))
    await card.getByText(/Step \d of 2 of a plan, with which it is decided/).waitFor()
    t.equal(await card.getByRole('button', { name: 'Approve' }).count(), 0)
    await card.getByRole('link', { name: 'Open the plan' }).click()
    await plan.waitFor()
    const id = /inbox\/([^/]+)\/plan/.exec(page.url())?.[1] ?? ''
    const steps = `/api/v1/agent/confirmations/${id}/steps`
    const { input_digest } = await read(app, steps, admin.headers)
    const answer = await app.inject({
      method: 'POST', url: steps, headers: admin.headers, payload: { approved: true, input_digest }
    })
    t.match(answer.json(), { status: 'approved' })
    await page.getByText('All 2 steps have succeeded.').waitFor()
    t.equal(await count(), 3)
  })

t.test('a plan can be decided on a phone', async (t) => {
  await askFor([web, 4], [search, 4])
  const [waiting] = await inbox()
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, hasTouch: true })
  await signIn(small, app, url)
  await visit(small.page, `${url}/#/inbox/${waiting?.id}/plan`, 'Plan of 2 steps')
  t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 360)
  t.same(await seriousFindings(small.page), [])
  await small.page.getByRole('button', { name: 'Approve all 2 steps' }).tap()
  await small.page.getByText('All 2 steps have succeeded.').waitFor()
  t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 360)
  await shoot(small.page, 'plan-done-small')
  t.same(await seriousFindings(small.page), [])
  await until(async () => (await inbox()).length === 0)
  await isDone()
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
