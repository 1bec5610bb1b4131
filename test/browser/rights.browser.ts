import t from '../tap.js'
import { asAdmin } from '../app.js'
import { read } from '../flows/asking.js'
import { makePerson } from '../routes/account/actors.js'
import { choose, judgeDark, openWindow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const ada = await makePerson(app, 'Ada', 'none')
await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Harbour' } })
const dialog = page.getByRole('dialog')
const region = (name: string) => page.getByRole('region', { name, exact: true })
const bindings = async () => (await read(app, '/account/bindings')).items
const groups = async () => (await read(app, '/account/groups')).items
const gone = () => dialog.waitFor({ state: 'detached' })

t.test('a group is made by keyboard, and gets people', async (t) => {
  await visit(page, `${url}/#/settings/groups`, 'Settings')
  await page.getByText('No groups').waitFor()
  await page.getByRole('button', { name: 'New group' }).press('Enter')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('On call')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'On call' }).waitFor()
  await page.getByText('No members').waitFor()
  t.same(await seriousFindings(page), [])
  await choose(page.getByRole('combobox', { name: 'Person' }), 'Ada')
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await region('Members').getByRole('row').filter({ hasText: 'Ada' }).waitFor()
  t.match(await groups(), [{ name: 'On call', members: [{ user_id: ada.id }] }])
})

t.test('what another admin changed meanwhile is not undone: it is read again', async (t) => {
  const [group] = await groups()
  const change = (payload: object) =>
    app.inject({ method: 'PATCH', url: `/account/groups/${group.id}`, headers: asAdmin, payload })
  await change({ name: 'On call now' })
  await page.getByRole('button', { name: 'Remove Ada' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('heading', { name: 'On call now' }).waitFor()
  t.match(await groups(), [{ name: 'On call now', members: [{ user_id: ada.id }] }])
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('On call')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await gone()
  await page.getByRole('heading', { name: 'On call', exact: true }).waitFor()
})

t.test('a group gets a role on an environment, which is changed and taken away', async (t) => {
  const may = region('Roles')
  await may.getByRole('button', { name: 'Give a role' }).press('Enter')
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('operator')
  await choose(dialog.getByRole('combobox', { name: 'Environment', exact: true }), 'staging')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'give-role')
  await dialog.getByRole('button', { name: 'Give' }).press('Enter')
  await gone()
  await may.getByText('environment staging').waitFor()
  t.match(await bindings(), [{ role: 'operator', subject: { kind: 'group' }, scope: { name: 'staging' } }])
  await may.getByRole('combobox', { name: 'Role on environment staging' }).selectOption('approver')
  await may.getByRole('button', { name: 'Remove approver on environment staging' }).waitFor()
  t.match(await bindings(), [{ role: 'approver' }])
  await shoot(page, 'group')
})

t.test('a person\'s page has their roles and what their groups give', async (t) => {
  await visit(page, `${url}/#/settings/members`, 'Settings')
  await page.getByRole('link', { name: 'Ada' }).press('Enter')
  await region('Groups').getByText('approver on environment staging').waitFor()
  await region('Roles').getByRole('button', { name: 'Give a role' }).click()
  const give = async (on: string, field: string, target: string) => {
    await dialog.getByRole('combobox', { name: 'On', exact: true }).selectOption(on)
    await choose(dialog.getByRole('combobox', { name: field }), target)
    await dialog.getByRole('button', { name: 'Give' }).click()
    await gone()
  }
  await give('A project', 'Project', 'Harbour')
  await region('Roles').getByText('project Harbour').waitFor()
  await region('Roles').getByRole('button', { name: 'Give a role' }).click()
  await give('A cloud account', 'Cloud account', 'Sandbox')
  await region('Roles').getByText('cloud account Sandbox').waitFor()
  await region('Roles').getByRole('button', { name: 'Give a role' }).click()
  await dialog.getByRole('combobox', { name: 'On', exact: true }).selectOption('The whole workspace')
  await dialog.getByRole('button', { name: 'Give' }).click()
  await gone()
  await shoot(page, 'person')
  t.same(await seriousFindings(page), [])
  const own = (await read(app, `/account/bindings?user_id=${ada.id}`)).items
  t.match(own.map(({ scope }: { scope: { kind: string } }) => scope.kind), ['workspace', 'cloud_account', 'project'])
  await page.getByRole('button', { name: 'Remove approver on the whole workspace' }).press('Enter')
  await region('Roles').getByText('the whole workspace').waitFor({ state: 'detached' })
  t.equal((await bindings()).length, 3)
})

t.test('groups and people fit into 375 px, in the dark', async (t) => {
  const [group] = await groups()
  const small = await openWindow(t, {
    viewport: { width: 375, height: 740 }, colorScheme: 'dark', storageState: await page.context().storageState()
  })
  for (const path of ['settings/groups', `settings/groups/${group.id}`, `settings/members/${ada.id}`]) {
    await visit(small.page, `${url}/#/${path}`, 'Settings')
    await small.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await small.page.setViewportSize({ width: 375, height: 740 })
    t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 375, path)
    await shoot(small.page, `${path.replace(/[0-9a-f-]{36}/, 'one').replaceAll('/', '-')}-375-dark`)
    await judgeDark(t, small.page, path)
  }
})

t.test('a group is deleted with its roles', async (t) => {
  const [group] = await groups()
  await visit(page, `${url}/#/settings/groups/${group.id}`, 'Settings')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('No groups').waitFor()
  t.same(await groups(), [])
  t.equal((await bindings()).length, 2)
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
