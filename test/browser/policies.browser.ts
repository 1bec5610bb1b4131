import t from '../tap.js'
import { asAdmin } from '../app.js'
import { read } from '../flows/asking.js'
import { decideAs, endOf, makePeople, proposeProject, type Person } from '../flows/voting.js'
import { judgeDark, openWindow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const [ada] = await makePeople(app, ['Ada']) as [Person]
const decide = async (name: string, approved: boolean) => {
  const call = await proposeProject(app, ada.headers, name)
  await decideAs(app, ada, call, approved)
  await endOf(app, ada.headers, call)
}
for (const [name, approved] of [['Harbour', true], ['Pier', true], ['Casino', false]] as const) {
  await decide(name, approved)
}

const region = (name: string) => page.getByRole('region', { name, exact: true })
const editor = page.getByRole('textbox', { name: 'Policies in Cedar' })
const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const policies = () => read(app, '/account/policies')
const runs = `@id("projects")
@outcome("run") @allow_tainted("true")
permit (principal, action == Action::"createProject", resource);`

t.test('an empty set begins with a policy, and what is typed survives a reload', async (t) => {
  await visit(page, `${url}/#/settings/policies?view=text`, 'Settings')
  await page.getByText('No active policies').waitFor()
  await button('Start with a policy for production').press('Enter')
  t.match(await editor.inputValue(), /@id\("production"\)/)
  await page.keyboard.press('Control+Home')
  await page.reload()
  await page.getByText('Not saved. This tab keeps it.').waitFor()
  t.match(await editor.inputValue(), /@id\("production"\)/)
  t.same(await seriousFindings(page), [])
  await button('Discard what is not saved').press('Enter')
  t.equal(await editor.inputValue(), '')
  t.match(await policies(), { enabled: null, draft: null })
})

t.test('what does not fit is shown at its place, in words', async (t) => {
  await editor.fill(runs.replace('createProject', 'createProjects'))
  await button('Save the draft').press('Enter')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  t.match(await alert.textContent(), /Nothing was saved. One problem:.*\^.*Go to line 3, column 30/s)
  t.same(await seriousFindings(page), [])
  await shoot(page, 'policies-invalid')
  await alert.getByRole('button', { name: 'Go to line 3, column 30' }).press('Enter')
  const at = await editor.evaluate((field: unknown) => {
    const { value, selectionStart } = field as { value: string, selectionStart: number }
    return value.slice(selectionStart, selectionStart + 8)
  })
  t.equal(at, 'Action::')
  t.same((await policies()).draft, null)
})

t.test('an example is a test that the draft has to pass', async (t) => {
  await editor.fill(runs)
  await button('Add an example').press('Enter')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Projects are asked')
  await dialog.getByRole('textbox', { name: 'Tool' }).fill('createProject')
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill('name = Harbour')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'policies-example')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await button('Save the draft').press('Enter')
  await region('Examples').getByText('fails', { exact: true }).waitFor()
  t.match(await region('Examples').textContent(), /it runs without approval \(projects\)/)
  t.match((await policies()).draft.examples, [{
    name: 'Projects are asked',
    request: { tool: 'createProject', arguments: { name: 'Harbour' } },
    expect: { outcome: 'ask', approvals: 1 }
  }])
  await page.getByText('An example fails, so the draft cannot be enabled').waitFor()
  t.ok(await button('Enable the draft').isDisabled())
  await button('Edit Projects are asked').click()
  await dialog.getByRole('combobox', { name: 'Then it' }).selectOption('run')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await button('Save the draft').click()
  await region('Examples').getByText('passes', { exact: true }).waitFor()
})

t.test('a draft is enabled only after it was tried, with its exact counts and each case', async (t) => {
  const tried = region('Test on past decisions')
  t.ok(await button('Enable the draft').isDisabled())
  await tried.getByRole('button', { name: 'Test on past decisions' }).press('Enter')
  await tried.getByText('would have run 3 without asking; 1 of these was rejected by people,').waitFor()
  await tried.getByText('Of 3 past decisions,').waitFor()
  t.same(await tried.getByRole('link').allTextContents(),
    ['Create project Casino', 'Create project Pier', 'Create project Harbour'])
  await tried.getByRole('combobox', { name: 'Decisions' }).selectOption('forbid')
  await tried.getByText('No decision is like this.').waitFor()
  await tried.getByRole('combobox', { name: 'Decisions' }).selectOption('run')
  await tried.getByRole('link', { name: 'Create project Casino' }).waitFor()
  await shoot(page, 'policies-replay')
  t.same(await seriousFindings(page), [])
  await button('Enable the draft').press('Enter')
  await page.getByText('The draft is active on every instance.').waitFor()
  const enabled = { version: 1, text: runs, replay: { run: { total: 3, rejected: 1 } } }
  t.match(await policies(), { enabled, draft: null })
  await region('Versions').getByText('active', { exact: true }).waitFor()
})

t.test('another draft shows its difference, and asks to be tried again', async (t) => {
  await editor.fill(`${runs}\n// Nothing else.`)
  await button('Save the draft').press('Enter')
  await region('Changes to the active version').locator('ins', { hasText: 'Nothing else.' }).waitFor()
  t.ok(await button('Enable the draft').isDisabled())
  await region('Versions').getByRole('button', { name: 'Difference of version 1' }).press('Enter')
  await dialog.locator('ins', { hasText: 'createProject' }).waitFor()
  await dialog.getByText('would have run 3 without asking').waitFor()
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Escape')
})

t.test('a draft that another admin saved meanwhile is not overwritten unseen', async (t) => {
  await editor.fill(`${runs}\n// Mine.`)
  const { revision } = await policies()
  const headers = { ...asAdmin, 'if-match': `"r${revision}"` }
  const payload = { text: `${runs}\n// Theirs.` }
  const other = await app.inject({ method: 'PUT', url: '/account/policies', headers, payload })
  t.equal(other.statusCode, 200)
  await button('Save the draft').press('Enter')
  await page.getByRole('alert').waitFor()
  await region('Changes to the active version').locator('ins', { hasText: 'Theirs.' }).waitFor()
  t.match(await editor.inputValue(), /Mine/)
  t.match((await policies()).draft.text, /Theirs/)
  await button('Discard what is not saved').click()
  t.match(await editor.inputValue(), /Theirs/)
})

t.test('a policy is written as a row, read back as one, and what no row can say stays text', async (t) => {
  await visit(page, `${url}/#/settings/policies`, 'Settings')
  const table = region('Draft').getByRole('table')
  await table.getByText('Create project').waitFor()
  await button('Add a policy').press('Enter')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('two for production')
  await dialog.getByRole('combobox', { name: 'Applies to' }).selectOption('area')
  await dialog.getByRole('combobox', { name: 'Area' }).selectOption('infrastructure')
  await dialog.getByRole('combobox', { name: 'Environment' }).fill('production')
  await page.getByRole('option', { name: 'production', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Risk' }).selectOption('high')
  await dialog.getByRole('spinbutton', { name: 'Approvals required' }).fill('2')
  await dialog.getByRole('checkbox', { name: 'Approvers sign with a passkey' }).check()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'policies-row')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  const row = table.getByRole('row').filter({ hasText: 'two-for-production' })
  t.match(await row.textContent(), /Services and functions · in production · high risk/)
  t.match(await row.textContent(), /2 approvals · not the requester · signed with a passkey/)
  await button('Text').click()
  const night = '@id("night")\nforbid (principal, action in Action::"infrastructure", resource) when { context.hour < 6 };\n'
  const written = `${await editor.inputValue()}\n${night}`
  t.match(written, '@id("two-for-production")\n@outcome("approve") @approvals("2") @exclude_requester("true") @signed("true")\n' +
    'permit (principal, action in Action::"infrastructure", resource)\n' +
    'when { resource has environment && resource.environment == "production" && context.risk == "high" };')
  await editor.fill(written)
  await button('Rows').click()
  await table.getByText('Rows cannot express this policy. Edit it as text.').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'policies-rows')
  await row.getByRole('button', { name: 'Edit two-for-production' }).click()
  t.equal(await dialog.getByRole('combobox', { name: 'Risk' }).inputValue(), 'high')
  await dialog.getByRole('combobox', { name: 'The write' }).selectOption('forbid')
  await dialog.getByRole('textbox', { name: 'Reason shown to the requester' }).fill('Not in production')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await row.getByText('Denied: Not in production').waitFor()
  await button('Save the draft').press('Enter')
  await page.getByText('Saved. A draft changes nothing').waitFor()
  t.match((await policies()).draft.text, /@reason\("Not in production"\)\nforbid .*@id\("night"\)/s)
})

t.test('policies fit into 375 px, in the dark', async (t) => {
  const small = await openWindow(t, {
    viewport: { width: 375, height: 740 }, colorScheme: 'dark', storageState: await page.context().storageState()
  })
  await visit(small.page, `${url}/#/settings/policies`, 'Settings')
  await small.page.getByRole('button', { name: 'Test on past decisions' }).click()
  await small.page.getByText('Of 3 past decisions,').waitFor()
  t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 375)
  await shoot(small.page, 'policies-375-dark')
  await judgeDark(t, small.page, 'policies')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
