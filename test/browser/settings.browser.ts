import t from '../tap.js'
import { asAdmin } from '../app.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import {
  hasFocus, judgeDark, narrow, openWindow, seriousFindings, shoot, signIn, startClient, tabTo, visit
} from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const dialog = page.getByRole('dialog')
const post = async (path: string, payload: object) =>
  (await app.inject({ method: 'POST', url: path, headers: asAdmin, payload })).json()

t.test('a browser session has the name of its browser, and what is unknown stays harmless', async (t) => {
  const agents = [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    '<img src=x onerror=alert(1)>'
  ]
  for (const userAgent of agents) await signIn(await openWindow(t, { userAgent }), app, url)
  await visit(page, `${url}/#/settings/connections`, 'Settings')
  const table = main.getByRole('region', { name: 'Browser sessions' })
  for (const name of ['Firefox on Linux', 'Safari on an iPhone', 'Edge on Windows', '<img src=x onerror=alert(1)>']) {
    await table.getByText(name, { exact: true }).waitFor()
  }
  await table.getByTitle(agents[0] ?? '').waitFor()
  await shoot(page, 'settings-connections')
  t.same(await seriousFindings(page), [])
})

t.test('the parts are a grouped list beside the page, and a field above it on a phone', async (t) => {
  await visit(page, `${url}/#/settings/tokens`, 'Settings')
  const menu = main.getByRole('navigation', { name: 'Parts of the settings' })
  t.same(await menu.getByRole('heading').allTextContents(), ['Account', 'People', 'Workspace'])
  await menu.getByRole('link', { name: 'API tokens' }).focus()
  await tabTo(page, 'Policies')
  await page.keyboard.press('Enter')
  await menu.locator('[aria-current=page]').getByText('Policies').waitFor()
  await page.getByRole('button', { name: 'Add a policy' }).waitFor()
  t.ok(await hasFocus(page, 'Policies'), 'the next part is one key away')
  const phone = await openWindow(t, { viewport: { width: 360, height: 740 } })
  await signIn(phone, app, url)
  await visit(phone.page, `${url}/#/settings/tokens`, 'Settings')
  const field = phone.page.locator('main').getByRole('combobox', { name: 'Parts of the settings' })
  t.same(await field.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label'))),
    ['Account', 'People', 'Workspace'])
  t.equal(await phone.page.locator('.part-menu').isVisible(), false)
  await field.selectOption({ label: 'People' })
  await phone.page.waitForURL(/settings\/members/)
  t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 360)
  t.same(await seriousFindings(phone.page), [])
  await shoot(phone.page, 'settings-menu-small')
})

t.test('what a token may do is said in words', async (t) => {
  const made = [
    ['all', ['agent', 'cloud', 'infrastructure', 'deployments', 'codehost', 'pse', 'content', 'account'].map((area) =>
      `${area}:read`), 'Read everything'],
    ['some', ['cloud:read', 'content:read', 'content:write', 'approvals:write'],
      'Read cloud accounts and costs and content, change content, and decide approvals']
  ] as const
  for (const [name, scopes] of made) await post('/account/tokens', { name, scopes, expires_in_days: 7 })
  await visit(page, `${url}/#/settings/tokens`, 'Settings')
  for (const [name, , text] of made) {
    await main.getByRole('row').filter({ hasText: `${name} stw_pat_` }).getByText(text, { exact: true }).waitFor()
  }
  t.same(await seriousFindings(page), [])
})

t.test('who was invited and has not come is shown as invited', async (t) => {
  await post('/account/users', { name: 'Ines', role: 'viewer' })
  await visit(page, `${url}/#/settings/members`, 'Settings')
  const row = main.getByRole('row').filter({ hasText: 'Ines' })
  await row.getByText('invited', { exact: true }).waitFor()
  await row.getByText('never').waitFor()
  const own = main.getByRole('row').filter({ hasText: 'Administrator' })
  await own.getByText('active', { exact: true }).waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('an admin renames the workspace, and it has the name everywhere', async (t) => {
  await page.getByRole('button', { name: 'Rename the workspace' }).click()
  await dialog.getByLabel('Name').fill('Larkspur & sons')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await main.locator('.page-head').getByText('Larkspur & sons').waitFor()
  const { name } = (await app.inject({ url: '/account/workspace', headers: asAdmin })).json()
  t.equal(name, 'Larkspur & sons')
})

t.test('a role that follows later is entered, and the policies can be read again', async (t) => {
  const made = await post('/cloud/accounts', { name: 'Later', regions: ['eu-west-1'], auth: { type: 'assume_role' } })
  const role = 'arn:aws:iam::210987654321:role/StewardAccess'
  await steer(app).call('PUT', '/roles', { role_arn: role, external_id: made.auth.external_id })
  await visit(page, `${url}/#/accounts`, 'Cloud accounts')
  const card = main.getByRole('article', { name: 'Later' })
  await card.getByText('Policies to paste in AWS').click()
  await card.getByText(made.auth.external_id).first().waitFor()
  await card.getByText('Policy: Costs').click()
  await card.getByText('ce:GetCostAndUsage').waitFor()
  await shoot(page, 'account-policies')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Edit Later' }).click()
  await dialog.getByLabel('Role ARN').fill(role)
  await dialog.getByLabel('Regions').fill('eu-west-1, us-east-1')
  await shoot(page, 'account-edit')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const account = (await app.inject({ url: `/cloud/accounts/${made.id}`, headers: asAdmin })).json()
  t.match(account, { regions: ['eu-west-1', 'us-east-1'], auth: { role_arn: role } })
})

t.test('a permission test says which permission is missing, what it is for, and why', async (t) => {
  await steer(app).deny('ecs:ListServices', 'logs:FilterLogEvents')
  await visit(page, `${url}/#/accounts`, 'Cloud accounts')
  const card = main.getByRole('article', { name: 'Sandbox' })
  await card.getByRole('button', { name: 'Test permissions' }).click()
  await card.getByText(/permissions are missing/).waitFor()
  const row = card.getByRole('row').filter({ hasText: 'ecs:ListServices' }).first()
  await row.getByText('showing containers').waitFor()
  await row.getByText(/policy|AWS does not say/).first().waitFor()
  await card.getByRole('row').filter({ hasText: 'logs:FilterLogEvents' }).first().getByText('reading logs').waitFor()
  await shoot(page, 'account-missing')
  t.same(await seriousFindings(page), [])
  await judgeDark(t, page, 'accounts')
  await steer(app).deny()
  await page.setViewportSize({ width: 1280, height: 820 })
})

t.test('accounts and settings fit a phone, in the dark', async (t) => {
  await narrow(t, { app, url }, ['accounts', 'settings/tokens', 'settings/connections', 'settings/members'])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
