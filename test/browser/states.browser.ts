import t from '../tap.js'
import { seriousFindings, shoot, startClient, visit } from './browser.js'

const { url, page, complaints } = await startClient(t)
const main = page.locator('main')

/** Every list, with the request that fills it. */
const lists: [path: string, heading: string, request: string | RegExp][] = [
  ['inbox', 'Approvals', '**/api/v1/agent/confirmations?*'],
  ['triggers', 'Automations', '**/api/v1/agent/triggers?*'],
  ['reports', 'Reports', '**/api/v1/agent/reports?*'],
  ['accounts', 'Cloud accounts', '**/cloud/accounts?*'],
  ['costs', 'Costs', '**/cloud/costs?*'],
  ['services', 'Services', /\/infrastructure\/(containers\/clusters|serverless\/functions)\?/],
  ['apps', 'Apps', '**/deployments/apps?*'],
  ['repositories', 'Repositories', '**/codehost/repos?*'],
  ['specs', 'Specs', '**/pse/sessions?*'],
  ['standards', 'Standards', '**/pse/standards?*'],
  ['content', 'Content', '**/content?*'],
  ['briefs', 'Briefs', '**/content/briefs?*'],
  ['projects', 'Projects', '**/account/projects?*'],
  ['settings/tokens', 'Settings', '**/account/tokens?*'],
  ['settings/preferences', 'Settings', '**/agent/memory/preferences'],
  ['settings/members', 'Settings', '**/account/users?*'],
  ['settings/connections', 'Settings', '**/account/sessions?*'],
  ['settings/tools', 'Settings', '**/tool-servers'],
  ['settings/workspaces', 'Settings', '**/account/workspaces?limit=50*']
]

for (const [path, heading, request] of lists) {
  t.test(`${path} shows that it loads, shows a problem, and loads again on request`, async (t) => {
    const held: (() => void)[] = []
    const letGo = new Promise<void>((resolve) => held.push(resolve))
    await page.route(request, async (route) => {
      await letGo
      await route.abort()
    })
    await visit(page, `${url}/#/${path}`, heading)
    await main.getByRole('status').getByText(/Loading/).first().waitFor({ state: 'attached' })
    t.equal(await main.getByRole('alert').count(), 0)
    for (const go of held) go()
    await main.getByRole('alert').filter({ hasText: 'Steward did not answer' })
      .filter({ hasText: 'Check that Steward runs' }).first().waitFor()
    await shoot(page, `${path.replace('/', '-')}-failed`)
    t.same(await seriousFindings(page), [])
    await page.unroute(request)
    await main.getByRole('button', { name: 'Try again' }).first().click()
    await main.getByRole('alert').first().waitFor({ state: 'detached' })
    await main.locator('.skeleton').first().waitFor({ state: 'detached' })
  })
}

t.test('an error of the API is shown in its own words, with the request and no code', async (t) => {
  const answer = { code: 'internal_error', status: 500, detail: 'It went wrong here', request_id: 'req-of-the-test' }
  await page.route('**/account/projects?*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(answer) }))
  await visit(page, `${url}/#/projects`, 'Projects')
  const alert = main.getByRole('alert')
  await alert.waitFor()
  t.match(await alert.textContent(), /It went wrong here.*req-of-the-test/)
  t.notMatch(await alert.innerHTML(), 'internal_error')
  await page.unroute('**/account/projects?*')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
