import t, { type Test } from '../tap.js'
import { steer } from '../routes/codehost/actors.js'
import { actor, keepRolling, makeApp, registry } from '../routes/deployments/actors.js'
import { choose, narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const stopRolling = keepRolling(t, app)
const made = await makeApp(app, 'web')

t.test('an app without builds shows the next step', async (t) => {
  await visit(page, `${url}/#/apps`, 'Apps')
  await main.getByRole('link', { name: 'web', exact: true }).click()
  await main.getByRole('heading', { level: 1, name: 'web' }).waitFor()
  await main.getByText('Not built yet').waitFor()
  t.same(await seriousFindings(page), [])
})

/** Looks at what building changes, and approves it. */
const startBuild = async (t: Test) => {
  await page.getByRole('button', { name: 'Build and deploy' }).click()
  await page.getByRole('button', { name: 'Show what changes' }).click()
  await page.getByRole('dialog').locator('.preview').waitFor()
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

t.test('a build is started, shows its live log, and ends', async (t) => {
  await startBuild(t)
  await main.getByRole('link', { name: '#1' }).click()
  await main.getByRole('heading', { level: 1, name: 'Build #1' }).waitFor()
  await main.locator('.log-line').first().waitFor()
  await main.locator('.page-head').getByText('succeeded').waitFor({ timeout: 40_000 })
  await main.getByText('The log is complete').waitFor()
  t.match(await main.locator('.pipeline li.done').allTextContents(), [/^Checkout/, /^Deploy/, /^Verify/])
  await shoot(page, 'build')
  t.same(await seriousFindings(page), [])
  const { items: [build] } = await actor(app).json(`/apps/${made.id}/builds`)
  t.match(build, { number: 1, status: 'succeeded' })
})

t.test('the log is folded by step, and a step stays as a person left it', async (t) => {
  const step = main.locator('details').filter({ hasText: 'Checkout' })
  t.equal(await step.locator('.log-line').count(), 0, 'what succeeded is folded')
  await step.locator('summary').click()
  await step.locator('.log-line').first().waitFor()
  t.same(await seriousFindings(page), [])
  await step.locator('summary').click()
  await step.locator('.log-line').first().waitFor({ state: 'detached' })
})

t.test('an earlier build is rolled back to, after a preview of the changes', async (t) => {
  await page.getByRole('button', { name: 'Roll back to this' }).click()
  await page.getByRole('button', { name: 'Show what changes' }).click()
  await page.getByRole('dialog').locator('.preview').waitFor()
  await shoot(page, 'rollback')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal((await actor(app).json(`/apps/${made.id}/builds`)).items[0].trigger, 'rollback')
  await main.getByRole('link', { name: '#2' }).waitFor()
  await shoot(page, 'app')
  t.same(await seriousFindings(page), [])
})

t.test('two builds are compared, and what differs is marked', async (t) => {
  await main.getByRole('link', { name: '#2' }).click()
  await main.getByRole('heading', { level: 1, name: 'Build #2' }).waitFor()
  const field = main.getByRole('combobox', { name: 'Compare with another build' })
  await field.fill('#1')
  await page.getByRole('option').first().click()
  const row = (name: string) => main.getByRole('region', { name: 'Comparison' }).getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })
  t.match(await row('Started by').locator('mark').textContent(), /^manual, /)
  t.equal(await row('Branch or tag').locator('mark').count(), 0, 'both are of one branch')
  t.match(page.url(), /with=[0-9a-f-]{36}/)
  await shoot(page, 'build-compared')
  t.same(await seriousFindings(page), [])
})

t.test('an app is created by choosing a repository and a service', async (t) => {
  await visit(page, `${url}/#/apps`, 'Apps')
  await page.getByRole('button', { name: 'New app' }).click()
  const dialog = page.getByRole('dialog')
  const show = dialog.getByRole('button', { name: 'Show what changes' })
  await choose(dialog.getByRole('combobox', { name: 'Repository' }), 'larkspur/api')
  t.equal(await dialog.getByLabel('Name').inputValue(), 'api')
  t.ok(await show.isDisabled(), 'no service yet')
  await choose(dialog.getByRole('combobox', { name: 'Service that runs it' }), 'web (prod, Sandbox, eu-west-1)')
  t.equal(await dialog.getByLabel('Image of a build').inputValue(), `${registry}/web:{sha}`)
  await dialog.getByLabel('Name').fill('chosen')
  await shoot(page, 'new-app')
  t.same(await seriousFindings(page), [])
  await show.click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('link', { name: /Open chosen/ }).click()
  await main.getByRole('heading', { level: 1, name: 'chosen' }).waitFor()
  const { items } = await actor(app).json('/apps')
  const target = { kind: 'ecs_service', container: 'web' }
  t.match(items.find(({ name }: { name: string }) => name === 'chosen'), { source: { repo: 'larkspur/api' }, target })
})

t.test('a build that runs is cancelled', async (t) => {
  const other = await makeApp(app, 'api', { source: { repo: 'larkspur/api', default_branch: 'main', path: '' } })
  await visit(page, `${url}/#/apps/${other.id}`, 'api')
  // The clock is frozen, so that the build cannot end before it is canceled.
  await stopRolling()
  await startBuild(t)
  await main.getByRole('link', { name: '#1' }).click()
  await page.getByRole('button', { name: 'Cancel build #1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await main.locator('.page-head').getByText(/cancelling|cancelled/).waitFor()
  // A rollout that goes on before ECS has the cancel may win against it.
  await main.getByText(/Cancelled: ECS stops deployment/).waitFor()
  keepRolling(t, app)
  await main.locator('.page-head').getByText('cancelled').waitFor({ timeout: 40_000 })
  t.match((await actor(app).json(`/apps/${other.id}/builds`)).items[0].status, /cancelled/)
})

t.test('what happened in a repository is listed', async (t) => {
  await visit(page, `${url}/#/repositories`, 'Repositories')
  await main.getByRole('link', { name: 'larkspur/web' }).click()
  await main.getByRole('link', { name: 'Activity' }).click()
  await main.locator('tbody tr').first().waitFor()
  await shoot(page, 'activity')
  t.same(await seriousFindings(page), [])
})

t.test('app, build and activity fit into 360 px, in the dark', async (t) => {
  const { items: [build] } = await actor(app).json(`/apps/${made.id}/builds`)
  await narrow(t, { app, url }, [`apps/${made.id}`, `apps/${made.id}/builds/${build.id}`])
})

t.test('a repository behind hundreds of others is found by a part of its name, by keyboard alone', async (t) => {
  const codehost = steer(app)
  for (let i = 100; i < 340; i++) {
    await codehost.call('POST', '/repositories', { owner: 'larkspur', name: `part-${i}` })
  }
  await codehost.call('POST', '/repositories', { owner: 'larkspur', name: 'zebra-crossing' })
  await visit(page, `${url}/#/apps`, 'Apps')
  await page.getByRole('button', { name: 'New app' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Repository' })
  const options = dialog.getByRole('listbox', { name: 'Repository' }).getByRole('option')
  await field.press('ArrowDown')
  await dialog.getByText('There are more. Type a part of the name.').waitFor()
  t.equal(await options.count(), 30, 'the first of all')
  await shoot(page, 'new-app-repositories')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  t.ok(await dialog.isVisible(), 'Escape closes the list, not the dialog')
  await page.keyboard.type('ZEBRA')
  await options.filter({ hasText: 'larkspur/zebra-crossing' }).waitFor()
  t.equal(await options.count(), 1)
  await page.keyboard.press('ArrowDown')
  const active = await field.getAttribute('aria-activedescendant')
  t.equal(await options.first().getAttribute('id'), active)
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Enter')
  t.equal(await field.inputValue(), 'larkspur/zebra-crossing')
  t.equal(await field.getAttribute('aria-expanded'), 'false')
  t.equal(await dialog.getByLabel('Name').inputValue(), 'zebra-crossing')
  await field.fill('no such thing')
  await dialog.getByText('Nothing found').waitFor()
  await page.keyboard.press('Tab')
  t.equal(await field.inputValue(), 'larkspur/zebra-crossing', 'what is not there is not taken')
  await field.fill('')
  await page.keyboard.press('Tab')
  t.equal(await dialog.getByLabel('Name').inputValue(), '')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
