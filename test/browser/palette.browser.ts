import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { url, page, app, complaints } = await startClient(t)
const field = () => page.getByRole('combobox', { name: /^Page, setting/ })
const chosen = () => page.getByRole('dialog').getByRole('option', { selected: true })

t.test('a page, a setting and a chat are a few letters away, by the keyboard alone', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.keyboard.press('Control+k')
  await field().waitFor()
  t.same(await seriousFindings(page), [])
  await page.keyboard.type('cost')
  await chosen().filter({ hasText: 'Costs' }).waitFor()
  await shoot(page, 'palette')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
  t.equal(await page.getByRole('dialog').count(), 0)

  await page.keyboard.press('Control+k')
  await field().fill('set aud')
  await chosen().filter({ hasText: 'Settings: Audit log' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/#/settings/record')

  const message = 'Is everything healthy in the lighthouse?'
  await app.inject({ method: 'POST', url: '/api/v1/agent/chat', headers: asAdmin, payload: { message } })
  await page.keyboard.press('Control+k')
  await field().fill('lighthouse')
  await page.getByRole('option').filter({ hasText: 'Chat' }).first().click()
  await page.waitForURL('**/#/chat/*')
  await page.getByText(message).first().waitFor()
})

t.test('things of every kind are found by their names, and services by the page that reads the clouds', async (t) => {
  const make = async (at: string, payload: object) => {
    const made = await app.inject({ method: 'POST', url: at, headers: asAdmin, payload })
    t.equal(made.statusCode, 201, made.body)
    return made.json<{ id: string, session_id: string }>()
  }
  const project = await make('/account/projects', { name: 'Quokka' })
  const spec = await make('/pse/sessions', { title: 'Quokka sign-up' })
  const text = await make('/content', { project_id: project.id, title: 'Meet the quokka', channel: 'blog' })
  await visit(page, `${url}/#/projects`, 'Projects')
  const found: [kind: string, name: string, at: string][] = [
    ['Spec', 'Quokka sign-up', `/specs/${spec.session_id}`], ['Content', 'Meet the quokka', `/content/${text.id}`],
    ['Project', 'Quokka', `/projects/${project.id}`], ['Page', 'Services with “quokka”', '/services?q=quokka']
  ]
  for (const [kind, name, at] of found) {
    await page.keyboard.press('Control+k')
    await field().fill('quokka')
    await page.getByRole('option', { name: 'Quokka Project', exact: true }).waitFor()
    t.same(await page.getByRole('option').locator('span').allTextContents(),
      found.flatMap(([kind, name]) => [name, kind]))
    await page.getByRole('option', { name: `${name} ${kind}`, exact: true }).click()
    await page.waitForURL(`**/#${at}`)
  }
  t.equal(await page.getByRole('searchbox', { name: 'Find a service' }).inputValue(), 'quokka')
})

t.test('a kind that cannot be read hides no other', async (t) => {
  await page.route('**/codehost/repos?*', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await field().fill('quokka')
  await page.getByRole('option').filter({ hasText: 'Quokka sign-up' }).waitFor()
  t.equal(await page.getByRole('dialog').getByRole('alert').count(), 0)
  await page.unroute('**/codehost/repos?*')
  await page.keyboard.press('Escape')
})

t.test('arrows choose, Escape closes and leaves everything as it was', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.keyboard.press('Control+k')
  await field().waitFor()
  const first = await chosen().textContent()
  await page.keyboard.press('ArrowDown')
  t.not(await chosen().textContent(), first)
  await page.keyboard.press('ArrowUp')
  t.equal(await chosen().textContent(), first)
  await field().fill('zzz')
  await page.getByRole('status').filter({ hasText: 'No matches' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  t.equal(await page.getByRole('dialog').count(), 0)
})

t.test('a question mark shows the keys, but in a message it is one', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'keys')
  await page.keyboard.press('Control+k')
  t.equal(await page.getByRole('dialog').count(), 1, 'an open dialog keeps its keys')
  await page.keyboard.press('Escape')
  await page.goto(`${url}/#/`)
  const box = page.getByRole('textbox', { name: 'Message to the assistant' })
  await box.press('?')
  t.equal(await box.inputValue(), '?')
  t.equal(await page.getByRole('dialog').count(), 0)
})

t.test('on a phone it opens from the menu', async (t) => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  await small.page.getByRole('button', { name: 'Menu' }).click()
  await small.page.getByRole('button', { name: 'Go to…' }).click()
  await small.page.getByRole('dialog').getByRole('combobox').waitFor()
  await judgeDark(t, small.page, 'the palette')
  await shoot(small.page, 'palette-small-dark')
})

// The page's policy refuses what a string is evaluated for again and again: the title is asked for from outside.
const isTitled = (title: string) => until(async () => (await page.title()) === title)

/** Rejects all that waits: what another test has asked, too. */
const rejectAll = async () => {
  const { items } = (await app.inject({ url: '/api/v1/agent/confirmations', headers: asAdmin })).json()
  for (const { id: confirmation_id, session_id } of items) {
    const payload = { session_id, confirmation_id, approved: false }
    await app.inject({ method: 'POST', url: '/api/v1/agent/confirm', headers: asAdmin, payload })
  }
}

t.test('each page leads to its page of the guide, and the API\'s document back to Steward', async (t) => {
  await visit(page, `${url}/#/settings/policies`, 'Settings')
  const [guide] = await Promise.all([
    page.waitForEvent('popup'), page.locator('.page-head').getByRole('link', { name: 'Guide' }).press('Enter')
  ])
  await guide.getByRole('heading', { level: 1, name: 'Policies' }).waitFor()
  t.same(await seriousFindings(guide), [])
  await shoot(guide, 'guide')
  await judgeDark(t, guide, 'guide/policies')
  await guide.reload()
  await guide.getByText('All pages').press('Enter')
  await guide.getByRole('link', { name: 'Approvals by several people' }).click()
  await guide.getByRole('heading', { level: 1, name: 'Approvals by several people' }).waitFor()
  await guide.close()
  await page.getByText('Help', { exact: true }).press('Enter')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Steward API' }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'api')
  await page.getByRole('link', { name: 'Create a project', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Create a project' }).waitFor()
  t.same(await seriousFindings(page), [])
  await page.getByRole('link', { name: 'Steward', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  t.same(complaints, [])
})

t.test('the tab is called by the page that is open, never by the one before', async (t) => {
  const { page: window } = await openWindow(t)
  await signIn({ page: window, complaints: [] }, app, url)
  const isCalled = (title: string) => until(async () => (await window.title()) === title)
  for (const [path, title] of [
    ['settings/preferences', 'Preferences · Settings · Steward'], ['nowhere', 'Page not found · Steward'],
    ['costs', 'Costs · Steward'], ['specs/019de000-0000-7000-8000-000000000000', 'Steward'],
    ['specs', 'Specs · Steward']
  ] as const) {
    await window.goto(`${url}/#/${path}`)
    await isCalled(title)
    t.equal(await window.title(), title)
  }
  await window.goto(`${url}/#/apps/no-id-at-all`)
  t.match(await window.getByRole('alert').textContent(),
    /^ ?There is nothing at this address ?Try again ?request req-\w+$/, 'and nothing of a schema')
})

t.test('the tab says that something waits, in its title and its icon', async (t) => {
  await rejectAll()
  await visit(page, `${url}/#/projects`, 'Projects')
  await isTitled('Projects · Steward')
  const payload = { name: 'createProject', arguments: { name: 'Waits' } }
  await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload })
  const icon = () => page.locator('link[rel="icon"]').getAttribute('href')
  const quiet = await icon()
  await page.evaluate('dispatchEvent(new Event("steward-sessions"))')
  await isTitled('(1) Projects · Steward')
  t.not(await icon(), quiet)
  await rejectAll()
  await page.evaluate('dispatchEvent(new Event("steward-sessions"))')
  await isTitled('Projects · Steward')
  t.equal(await icon(), quiet)
})
