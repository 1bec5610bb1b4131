import t from '../tap.js'
import { asAdmin } from '../app.js'
import { choose, judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)
const settle = async (on = page) => {
  await on.waitForLoadState('networkidle').catch(() => {})
  await on.locator('.skeleton').first().waitFor({ state: 'detached' })
}

const plain: [path: string, heading: string, text: RegExp][] = [
  ['inbox', 'Approvals', /Nothing waits for you/],
  ['triggers', 'Automations', /No triggers yet/],
  ['reports', 'Reports', /No reports here/],
  ['accounts', 'Cloud accounts', /Sandbox/],
  ['costs', 'Costs', /Expected this month/],
  ['services', 'Services', /worker/],
  ['apps', 'Apps', /No apps yet/],
  ['repositories', 'Repositories', /larkspur\/web/],
  ['specs', 'Specs', /No specs here/],
  ['standards', 'Standards', /Rules for checking specs/],
  ['content', 'Content', /No content here/],
  ['briefs', 'Briefs', /No briefs here/],
  ['projects', 'Projects', /No projects/],
  ['settings/tokens', 'Settings', /New token/],
  ['settings/preferences', 'Settings', /No preferences/],
  ['settings/members', 'Settings', /Administrator/],
  ['settings/connections', 'Settings', /Browser sessions/],
  ['settings/tools', 'Settings', /There are no tool servers/],
  ['settings/workspaces', 'Settings', /New workspace/]
]

for (const [path, heading, text] of plain) {
  t.test(`${path} shows what there is, to everybody`, async (t) => {
    await go(path, heading)
    await page.locator('main').getByText(text).first().waitFor()
    await settle()
    await shoot(page, path.replace('/', '-'))
    t.same(await seriousFindings(page), [])
  })
}

t.test('a permission test shows what an account lets Steward do', async (t) => {
  await go('accounts', 'Cloud accounts')
  await page.getByRole('button', { name: 'Test permissions' }).click()
  await page.getByText('Nothing is missing').waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('an account says what it is for, and can be made read-only', async (t) => {
  const edit = async (environment: string, isReadOnly: boolean) => {
    await go('accounts', 'Cloud accounts')
    await page.getByRole('button', { name: 'Edit Sandbox' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('combobox', { name: /^Environment/ })
    await (environment === '' ? field.fill('') : choose(field, environment))
    await dialog.getByRole('checkbox', { name: /^Read-only/ }).setChecked(isReadOnly)
    t.same(await seriousFindings(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await edit('production', true)
  const card = page.getByRole('article', { name: 'Sandbox' })
  await card.getByText('read-only', { exact: true }).waitFor()
  await card.getByText('production', { exact: true }).waitFor()
  await edit('', false)
  await card.getByText('read-only', { exact: true }).waitFor({ state: 'detached' })
})

t.test('a service is scaled and deployed after a preview of the changes; its logs are live', async (t) => {
  const approve = async () => {
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.locator('.approval').getByText('succeeded', { exact: true }).waitFor()
    await dialog.locator('.approval').getByRole('link', { name: 'ECS service web' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  await go('services', 'Services')
  await page.getByRole('link', { name: 'web', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor()
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').fill('5')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.locator('.preview').waitFor()
  t.same(await dialog.locator('.preview td').allTextContents(), ['2', '', '5'])
  await shoot(page, 'scale')
  t.same(await seriousFindings(page), [])
  await approve()
  await page.getByText('of 5', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Image' }).fill('example.com/shop/web:9.9.9')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByRole('cell', { name: 'example.com/shop/web:9.9.9', exact: true }).waitFor()
  await shoot(page, 'deploy')
  await approve()
  await page.locator('main').getByRole('link', { name: 'Logs', exact: true }).click()
  await page.locator('.log-line').first().waitFor()
  await shoot(page, 'service-logs')
  t.same(await seriousFindings(page), [])
  const deployments = await app.inject({
    url: `/infrastructure/containers/services/${/services\/([^/]+)/.exec(page.url())?.[1]}/deployments`, headers: asAdmin
  })
  t.equal(deployments.json<{ items: unknown[] }>().items.length, 1)
})

t.test('closing its dialog rejects an undecided proposal; a failed one shows the reason', async (t) => {
  await go('services', 'Services')
  await page.getByRole('link', { name: 'web', exact: true }).click()
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').fill('1')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.locator('.preview').waitFor()
  const decided = page.waitForResponse('**/api/v1/agent/confirm')
  await page.keyboard.press('Escape')
  t.match(await (await decided).json(), { status: 'rejected' })
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Image' }).fill('not an image')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard' }).click()
})

t.test('a function is invoked', async (t) => {
  await go('services', 'Services')
  await page.getByRole('link', { name: 'echo' }).click()
  await page.getByRole('button', { name: 'Invoke echo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"hello": "there"}')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  // Nothing ran yet: what the function does cannot be foreseen, so a person decides on exactly this call.
  await dialog.getByText('Steward cannot see beforehand').waitFor()
  t.same(await dialog.locator('.preview td.after').allTextContents(), ['echo, version $LATEST', 'Active',
    '{"hello":"there"}'])
  t.same(await seriousFindings(page), [])
  await shoot(page, 'invoke-card')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.locator('.typed-result pre', { hasText: 'there' }).first().waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'invoke-answer')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

t.test('a repository shows its commits and pull requests', async (t) => {
  await go('repositories', 'Repositories')
  await page.getByRole('link', { name: 'larkspur/api' }).click()
  await page.getByText('Answer refunds').waitFor()
  const commit = page.getByRole('row').filter({ hasText: 'Answer refunds' })
  await commit.locator('summary').click()
  await commit.getByText('Signature').waitFor()
  t.equal(await page.locator('main a[href^="http"]').count(), 0, 'the sandbox has no page to open')
  t.same(await seriousFindings(page), [])
  await page.getByRole('link', { name: 'Pull requests' }).click()
  await page.getByText('refunds → main').waitFor()
  await page.getByRole('columnheader', { name: 'Reviews' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'refunds → main' }).getByText(/of \d+ passed|none/).first().waitFor()
  await shoot(page, 'pulls')
  await page.getByRole('combobox', { name: 'State' }).selectOption('merged')
  await page.getByText('refunds → main').waitFor({ state: 'detached' })
  t.match(page.url(), /state=merged/)
  t.same(await seriousFindings(page), [])
})

t.test('a pull request opens by keyboard to each check and each reviewer, and is asked for only then', async (t) => {
  const asked: string[] = []
  page.on('request', (request) => { if (/\/pulls\/\d+$/.test(request.url())) asked.push(request.url()) })
  await go('repositories/7001/pulls', 'larkspur/web')
  const row = page.getByRole('row').filter({ hasText: 'Translate the start page' })
  await row.locator('summary').focus()
  t.same(asked, [], 'a list asks for no single one')
  await page.keyboard.press('Enter')
  await row.getByRole('list', { name: 'Checks' }).waitFor()
  t.same(await row.getByRole('list', { name: 'Checks' }).getByRole('listitem').allTextContents(), ['failure test'])
  t.match(await row.getByRole('list', { name: 'Reviews' }).getByRole('listitem').allTextContents(),
    [/^changes requested octavia, /])
  t.equal(asked.length, 1)
  t.same(await seriousFindings(page), [])
  await shoot(page, 'pull-opened')
  const waiting = page.getByRole('row').filter({ hasText: 'Show stock on the product page' })
  await waiting.locator('summary').focus()
  await page.keyboard.press('Enter')
  await waiting.getByRole('listitem').filter({ hasText: 'requested octavia' }).waitFor()
  const untouched = page.getByRole('row').filter({ hasText: 'Try another colour' })
  await untouched.locator('summary').focus()
  await page.keyboard.press('Enter')
  await untouched.getByText('Nobody has reviewed it.').waitFor()
  await untouched.getByText('Nothing checks its newest commit.').waitFor()
})

t.test('a token is made, shown once, and revoked', async () => {
  await go('settings/tokens', 'Settings')
  await page.getByRole('textbox', { name: 'Name' }).fill('CI')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText(/stw_pat_/).first().waitFor()
  await page.getByRole('button', { name: 'Revoke CI' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
})

t.test('a failed request shows advice, and a retry works', async (t) => {
  await page.route('**/cloud/accounts?*', (route) => route.abort())
  await go('accounts', 'Cloud accounts')
  await page.getByText('Steward did not answer').waitFor()
  t.same(await seriousFindings(page), [])
  await page.unroute('**/cloud/accounts?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Sandbox' }).waitFor()
})

t.test('every page is usable in the dark, at full width and in 360 px', async (t) => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  for (const [path, heading, text] of plain) {
    await visit(small.page, `${url}/#/${path}`, heading)
    await small.page.locator('main').getByText(text).first().waitFor()
    await settle(small.page)
    await judgeDark(t, small.page, path)
    await shoot(small.page, `${path.replace('/', '-')}-small-dark`)
  }
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
