import t from '../tap.js'
import { approve, actor, makeBrief, makeContent, makeOpenProject, secret } from '../routes/content/actors.js'
import { script } from '../routes/content/model.js'
import { startReceiver } from '../routes/content/receiver.js'
import { seriousFindings, shoot, startClient, visit } from './browser.js'

const receiver = await startReceiver(t)
const { app, anthropic, url, page, complaints } = await startClient(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const main = page.locator('main')
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)
const project = await makeOpenProject(app, 'By a model', { min_score: 0 })

t.test('a rewrite is followed live; what it would change of a person\'s text is taken, or put aside', async (t) => {
  const body_markdown = '## One\n\nThe first is mine.\n\n## Two\n\nThe second is mine.\n'
  const { id, title } = await makeContent(app, project, { title: 'Two parts', body_markdown })
  // A pause before each piece of the response makes the progress visible.
  const write = (name: string, text: string) => script(anthropic, `section:${name.toLowerCase()}`,
    { items: [{ target: `section:${name.toLowerCase()}`, text: `## ${name}\n\n${text}` }] }, { delay_ms: 300 })
  write('One', 'The first is better.')
  write('Two', 'The second is worse.')
  await go(`content/${id}`, title)
  await page.getByRole('button', { name: 'Rewrite' }).click()
  await page.getByRole('textbox', { name: 'What to do' }).fill('Say it better')
  t.same(await seriousFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Rewrite' }).click()
  await main.getByRole('list', { name: 'Steps' }).getByText(/1:/).first().waitFor()
  t.equal(await page.getByRole('button', { name: 'Rewrite' }).isDisabled(), true, 'one at a time')
  await main.getByText('The content is ready.').waitFor()
  const one = main.getByRole('article', { name: 'Suggestion for section:one' })
  const two = main.getByRole('article', { name: 'Suggestion for section:two' })
  await one.getByText('The first is mine.').waitFor()
  await one.getByText('The first is better.').waitFor()
  await two.getByText('The second is worse.').waitFor()
  await shoot(page, 'suggestions')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Accept: section:one' }).click()
  await one.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Dismiss: section:two' }).click()
  await two.waitFor({ state: 'detached' })
  const after = await actor(app).json(`/${id}`)
  t.match(after.body_markdown, /The first is better\.[^]*The second is mine\./)
  const decided = after.suggestions.filter(({ target }: { target: string }) => target.startsWith('section:'))
  t.same(decided.map(({ target, status }: Record<string, string>) => [target, status]).sort(),
    [['section:one', 'accepted'], ['section:two', 'rejected']])
})

t.test('drafts that a model writes are followed from the brief', async (t) => {
  const brief = await makeBrief(app, project)
  await go(`briefs/${brief.id}`, brief.title)
  await page.getByRole('button', { name: 'Make drafts' }).click()
  await main.getByText('The content is ready.').waitFor()
  t.same(await seriousFindings(page), [])
  const { items: [made] } = await actor(app).json(`/?brief_id=${brief.id}`)
  t.equal(made.head_version, 2, 'the model wrote into the record that was there at once')
})

t.test('a generation that waits is stopped', async (t) => {
  // No worker claims the generation, so that the test can stop it.
  const idle = await startClient(t, { WORKER: 'false' })
  const { id, title } = await makeContent(idle.app, await makeOpenProject(idle.app, 'Idle'))
  await visit(idle.page, `${idle.url}/#/content/${id}`, title)
  await idle.page.getByRole('button', { name: 'Rewrite' }).click()
  await idle.page.getByRole('dialog').getByRole('button', { name: 'Rewrite' }).click()
  await idle.page.getByRole('button', { name: 'Stop' }).waitFor()
  t.equal((await actor(idle.app).json(`/${id}`)).generation.status, 'pending')
  await idle.page.getByRole('button', { name: 'Stop' }).click()
  await idle.page.getByText('It was cancelled').waitFor()
  t.equal((await actor(idle.app).json(`/${id}`)).generation.status, 'cancelled')
})

t.test('a publication that failed is tried again from the page', async (t) => {
  const hook = { kind: 'webhook', name: 'Site', secret, config: { url: `${receiver.url}/again` } }
  const house = await makeOpenProject(app, 'Sent again', { min_score: 0, publish_targets: [hook] })
  const { id, title } = await makeContent(app, house, { title: 'Once more' })
  await approve(app, id)
  receiver.answers.push(400)
  await actor(app).post(`/${id}/publish`)
  await go(`content/${id}/publications`, title)
  await main.locator('tbody').getByText('failed').first().waitFor()
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Try again: Site' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await main.locator('tbody').getByText('succeeded').first().waitFor()
  t.match(await actor(app).json(`/${id}`), { status: 'published', published_version: 1 })
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  t.same([ids.length, new Set(ids).size], [2, 1], 'the same id at the receiver')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
