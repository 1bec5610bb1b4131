import { readFile } from 'node:fs/promises'
import t from 'tap'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)
const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'

t.test('a spec is made of nothing yet, takes a text and a file, and is generated while one looks on', async (t) => {
  await go('specs', 'Specs')
  await main.getByText('No specs here').waitFor()
  await page.getByRole('button', { name: 'New spec' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Parcel lockers')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Create' }).click()
  await main.getByText('No inputs').waitFor()
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Add an input' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('Doors must open within 2 seconds.')
  await page.getByRole('textbox', { name: 'Name to find it by' }).fill('Notes')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('link', { name: 'Notes' }).waitFor()
  await page.getByRole('button', { name: 'Add an input' }).click()
  await page.getByRole('combobox', { name: 'What it is' }).selectOption('file')
  const lamps = { name: 'lamps.md', mimeType: 'text/markdown', buffer: Buffer.from(text) }
  await page.getByLabel(/^File/).setInputFiles(lamps)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('link', { name: 'lamps.md' }).waitFor()
  await shoot(page, 'spec-inputs')
  await page.getByRole('button', { name: 'Generate' }).click()
  await main.getByText('Version 1 is made.').waitFor()
  await page.getByRole('link', { name: 'Requirements' }).click()
  await main.locator('.cited').first().waitFor()
  await shoot(page, 'spec')
  t.same(await seriousFindings(page), [])
})

t.test('inputs come from a repository: a file and an issue', async (t) => {
  const { id, path } = await makeSession(app, text)
  await go(`specs/${id}/inputs`, 'Parcel lockers')
  await page.getByRole('button', { name: 'Add an input' }).click()
  await page.getByRole('combobox', { name: 'What it is' }).selectOption('repo_file')
  await page.getByRole('combobox', { name: 'Repository' }).selectOption({ label: 'larkspur/web' })
  await page.getByRole('textbox', { name: 'Path' }).fill('README.md')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('link', { name: 'README.md' }).waitFor()
  t.equal((await actor(app).json(path)).inputs, 2)
})

t.test('a citation leads to its place in the text of the input', async (t) => {
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  await go(`specs/${id}`, 'Parcel lockers')
  const cited = main.getByRole('article', { name: 'FR-002' }).getByRole('link')
  const quote = await cited.locator('mark').textContent()
  await cited.click()
  await main.locator('mark.active').waitFor()
  t.equal(await main.locator('mark.active').textContent(), quote)
  t.match(quote, /Lamps/)
  t.match(await main.locator('mark.active').getAttribute('title'), /FR-002/)
  await shoot(page, 'spec-input')
  t.same(await seriousFindings(page), [])
})

t.test('a requirement is edited and locked, and what a version changed is shown', async (t) => {
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  await go(`specs/${id}`, 'Parcel lockers')
  await page.getByRole('button', { name: 'Edit FR-002' }).click()
  await page.getByRole('textbox', { name: 'Statement' }).fill('WHEN night falls, THE SYSTEM SHALL light every lamp.')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await main.getByRole('article', { name: 'FR-002' }).getByText('edited').waitFor()
  await page.getByRole('button', { name: 'Lock FR-001' }).click()
  await page.getByRole('button', { name: 'Unlock FR-001' }).waitFor()
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'What changed in v2' }).click()
  const change = main.getByRole('article', { name: 'FR-002' })
  await change.locator('.after', { hasText: 'WHEN night falls' }).waitFor()
  await page.getByRole('combobox', { name: 'How to compare' }).selectOption('word')
  await main.locator('.diff ins', { hasText: 'night falls' }).waitFor()
  await shoot(page, 'spec-versions')
  t.same(await seriousFindings(page), [])
  const { document } = await actor(app).json(`${path}/versions/3`)
  t.equal(document.requirements.find((one: { id: string }) => one.id === 'FR-001').locked, true)
})

t.test('a question is answered, findings are waived, the spec is approved and exported', async (t) => {
  const { id, path } = await makeSession(app, `${text}\nThe limit must be TBD.\n`)
  await generate(app, path)
  await go(`specs/${id}`, 'Parcel lockers')
  await main.getByText('A question waits').waitFor()
  await page.getByRole('textbox', { name: 'Answer to Q-1', exact: true }).fill('It is 5.')
  await shoot(page, 'spec-questions')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Answer Q-1', exact: true }).click()
  await main.getByText('Generate again to take them in').waitFor()
  await page.getByRole('button', { name: 'Generate' }).click()
  await main.getByText('Version 2 is made.').waitFor()
  await page.getByRole('link', { name: 'Checks' }).click()
  const errors = main.locator('tr', { has: page.getByText('error', { exact: true }) })
  const open = errors.getByRole('button', { name: /Waive/ })
  await main.getByRole('heading', { name: 'Findings' }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'spec-checks')
  for (let left = await open.count(); left > 0; left = await open.count()) {
    await open.first().click()
    await page.getByRole('textbox', { name: 'Why it is right' }).fill('Accepted for the first release.')
    await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await open.nth(left - 1).waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Approve' }).click()
  await main.getByText('v2 approved').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download v2' }).click()
  t.match(await readFile(await (await download).path(), 'utf8'), /# Parcel lockers/)
})

t.test('a generation that waits is stopped', async (t) => {
  // Nobody takes the work, so that it is still there to be stopped.
  const idle = await startClient(t, { WORKER: 'false' })
  const { id, path } = await makeSession(idle.app, text)
  await idle.page.goto(`${idle.url}/#/specs/${id}`)
  await idle.page.getByRole('button', { name: 'Generate' }).click()
  await idle.page.getByRole('button', { name: 'Stop' }).waitFor()
  t.same(await seriousFindings(idle.page), [])
  t.equal((await actor(idle.app).json(path)).state, 'generating')
  await idle.page.getByRole('button', { name: 'Stop' }).click()
  await idle.page.getByText('The generation was stopped').waitFor()
  t.equal((await actor(idle.app).json(path)).active_generation_id, null)
})

t.test('a standard is made with a rule, changed, attached to a spec, and taken out of use', async (t) => {
  await go('standards', 'Standards')
  t.same(await seriousFindings(page), [])
  await page.getByRole('link', { name: 'New standard' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('House rules')
  await page.getByRole('textbox', { name: 'Rules, as JSON' }).fill('[{')
  await page.getByRole('button', { name: 'Create' }).click()
  await main.getByText('The rules are not JSON').waitFor()
  const rule = {
    rule_id: 'has-goals',
    title: 'Says its goals',
    level: 'MUST',
    severity: 'warn',
    target: 'requirements.statement',
    check: { fn: 'forbid', options: { patterns: ['TBD'] } }
  }
  await page.getByRole('textbox', { name: 'Rules, as JSON' }).fill(JSON.stringify([rule]))
  await shoot(page, 'standard')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Create' }).click()
  await main.getByRole('heading', { level: 1, name: 'House rules' }).waitFor()
  await page.getByRole('textbox', { name: 'What it is for' }).fill('All of us')
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await main.getByText('v2', { exact: false }).first().waitFor()
  const { id, path } = await makeSession(app, text)
  await go(`specs/${id}`, 'Parcel lockers')
  await page.getByRole('button', { name: 'Settings of the spec' }).click()
  await page.getByRole('checkbox', { name: 'House rules' }).check()
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal((await actor(app).json(path)).standards.length, 1)
  await go('standards', 'Standards')
  await main.getByRole('link', { name: 'House rules' }).click()
  await page.getByRole('button', { name: 'Take out of use' }).click()
  await page.getByRole('button', { name: 'Take out', exact: true }).click()
  await main.getByRole('heading', { level: 1, name: 'Standards' }).waitFor()
  await main.getByText('House rules').waitFor({ state: 'detached' })
})

t.test('every page of specs fits into 360 px, in the dark', async (t) => {
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  const { items: [input] } = await actor(app).json(`${path}/inputs`)
  const tabs = ['requirements', 'checks', 'inputs', 'versions', `inputs/${input.input_id}`]
  await narrow(t, { app, url }, ['standards/new', ...tabs.map((tab) => `specs/${id}/${tab}`)])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
