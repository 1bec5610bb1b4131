import t from '../tap.js'
import { asAdmin } from '../app.js'
import { makeWorkspace } from '../routes/account/actors.js'
import { openWindow, narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const dialog = page.getByRole('dialog')
const row = (name: string) => page.getByRole('region', { name: 'Workspaces' }).getByRole('row', { name })
const workspaces = async () => (await app.inject({ url: '/account/workspaces', headers: asAdmin })).json().items

t.test('an admin of the installation makes a workspace, and its first admin signs in by the link', async (t) => {
  await visit(page, `${url}/#/settings/tokens`, 'Settings')
  await page.getByRole('link', { name: 'Workspaces' }).click()
  const form = page.getByRole('region', { name: 'New workspace' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour')
  await form.getByRole('textbox', { name: 'First admin' }).fill('Grace')
  await form.getByRole('button', { name: 'Create' }).click()
  const text = page.getByText(/\/setup#token=stw_link_/)
  await text.waitFor()
  await row('Harbour').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'workspaces')
  const link = new URL(String(await text.textContent()))
  const { page: other } = await openWindow(t)
  await other.goto(`${url}${link.pathname}${link.hash}`)
  // The link alone signs nobody in: what looks at mails opens it, too.
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('link', { name: 'Open Steward' }).click()
  await other.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  await visit(other, `${url}/#/settings/members`, 'Settings')
  await other.getByText('Grace').first().waitFor()
  t.equal(await other.getByRole('link', { name: 'Workspaces' }).count(), 0, 'who sees no list of workspaces')
})

t.test('its name, host names and settings are edited, and an emptied field is as the installation', async (t) => {
  const edit = async () => {
    await row('Harbour').getByRole('button', { name: 'Edit' }).click()
    await dialog.waitFor()
  }
  const field = (name: string) => dialog.getByLabel(name)
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await visit(page, `${url}/#/settings/workspaces`, 'Settings')
  await edit()
  await field('Host names').fill('harbour.example, quay.example')
  await field('Who may sign in').fill('harbour#12=member')
  await field('Budget per person and day (USD)').fill('2.5')
  await field('Delete idle conversations after (days)').fill('90')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'workspace-edit')
  await save()
  await row('harbour.example, quay.example').waitFor()
  const [made] = await workspaces()
  t.match(made, { name: 'Harbour', hosts: ['harbour.example', 'quay.example'] })
  t.match(made.settings, {
    limits: { budget_user_day_usd: 2.5 }, retention: { chats_days: 90 }, sign_in: 'harbour#12=member'
  })
  await edit()
  await field('Who may sign in').fill('')
  await field('Budget per person and day (USD)').fill('')
  await field('Delete idle conversations after (days)').fill('')
  await save()
  t.match((await workspaces())[0].settings, { limits: null, retention: null, sign_in: null })
  await edit()
  await field('Budget per person and day (USD)').fill('1000000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/The installation's limit is 20/).first().waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
})

t.test('another admin of a workspace gets a link', async (t) => {
  await makeWorkspace(app, 'Pier')
  await visit(page, `${url}/#/settings/workspaces`, 'Settings')
  await row('Pier').getByRole('button', { name: 'Add admin' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Linus')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await row('Pier').getByText(/\/setup#token=stw_link_/).waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('workspaces fit a narrow window', async (t) => {
  await narrow(t, { app, url }, ['settings/workspaces'])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
