import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { until } from '../chat.js'
import { read } from '../flows/asking.js'
import { judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, tabTo, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const label = 'Delegate'
const field = page.getByRole('combobox', { name: label })
const listed = page.getByRole('listbox', { name: label })
const options = listed.getByRole('option')
const offered = () => options.allTextContents()
const marked = listed.getByRole('option', { selected: true })
const press = (key: string) => page.keyboard.press(key)
/** Comes to the field as a person does, which marks what is in it: the next letter replaces it. */
const come = async () => {
  await page.evaluate("document.querySelector('a.skip').focus()")
  await press('Enter')
  await tabTo(page, label)
}

const addPeople = async (count: number, name: string) => {
  const { workspace_id } = app.home
  const people = Array.from({ length: count }, (_, number) => ({
    workspace_id, id: randomUUID(), name: `${name} ${number}`, role: 'member' as const, status: 'active' as const
  }))
  await app.db.insertInto('account_user').values(people).execute()
  return people
}

t.test('a few people are all offered, never oneself, and one is taken by the arrows', async (t) => {
  await addPeople(3, 'First')
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await come()
  t.equal(await field.getAttribute('aria-expanded'), 'false', 'Tab opens nothing')
  await press('ArrowDown')
  await options.first().waitFor()
  t.same((await offered()).toSorted(), ['First 0', 'First 1', 'First 2'])
  t.equal(await marked.count(), 0, 'nobody is chosen before a person has done it')
  await press('ArrowUp')
  const last = (await offered()).at(-1)
  t.equal(await marked.textContent(), last, 'the list is a ring')
  t.equal(await field.getAttribute('aria-activedescendant'), await marked.getAttribute('id'))
  await listed.locator('..').getByRole('status').filter({ hasText: '3 found.' }).waitFor({ state: 'attached' })
  await press('Tab')
  t.equal(await field.inputValue(), last, 'Tab takes what the arrows have reached')
  t.equal(await page.evaluate('document.activeElement.type'), 'datetime-local', 'and goes on')
  t.equal(await listed.count(), 0)
})

t.test('who is chosen is marked in the list; Escape and what nobody is called leave them chosen', async (t) => {
  await come()
  const chosen = await field.inputValue()
  await press('ArrowDown')
  await options.first().waitFor()
  t.equal(await listed.locator('[aria-current=true]').textContent(), chosen)
  t.equal(await marked.textContent(), chosen, 'the arrows go on from there')
  await page.keyboard.type('nobody is called so')
  await page.getByText('Nothing found').waitFor()
  t.same(await seriousFindings(page), [])
  await press('Escape')
  t.equal(await field.inputValue(), chosen)
  await page.keyboard.type('nobody is called so')
  await press('Tab')
  await until(async () => await field.inputValue() === chosen)
})

t.test('of many, one is found by name beyond the first page, and stays while others are looked for', async (t) => {
  const many = await addPeople(150, 'Person')
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await come()
  await press('ArrowDown')
  await page.getByText('There are more. Type a part of the name.').waitFor()
  t.equal(await options.count(), 100)
  await page.keyboard.type('son 14')
  await options.filter({ hasText: 'Person 149' }).waitFor()
  t.equal(await options.count(), 11, 'Person 14 and 140 to 149')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'person-choice')
  await press('Control+A')
  await page.keyboard.type('person 147')
  await options.filter({ hasText: 'Person 147' }).waitFor()
  await press('Enter')
  t.equal(await field.inputValue(), 'Person 147', 'Enter takes the only one')
  await page.keyboard.type(' first')
  await press('Control+A')
  await page.keyboard.type('first')
  await options.filter({ hasText: 'First 1' }).waitFor()
  await press('Escape')
  t.equal(await field.inputValue(), 'Person 147')
  await tabTo(page, 'Add a delegate')
  await press('Enter')
  await page.getByRole('row').filter({ hasText: 'Person 147 for me' }).waitFor()
  t.match((await read(app, '/account/delegations')).items, [{ to: { id: many[147]?.id } }])
  t.equal(await field.inputValue(), '', 'the next is chosen anew')
})

t.test('a name that is typed whole is taken by Tab, also before the server has answered', async (t) => {
  await come()
  await page.keyboard.type('PERSON 77')
  await press('Tab')
  await until(async () => await field.inputValue() === 'Person 77')
  t.equal(await listed.count(), 0)
})

t.test('a filter names whom the address has, though not on the first page, and allows nobody', async (t) => {
  const [oldest] = await app.db.selectFrom('account_user').select(['id', 'name'])
    .where('name', 'like', 'First%').orderBy('id').limit(1).execute()
  await app.db.insertInto('account_user').values(Array.from({ length: 150 }, (_, number) => ({
    workspace_id: app.home.workspace_id,
    id: `ffffffff-ffff-4fff-bfff-${String(number).padStart(12, '0')}`,
    name: `Newest ${number}`,
    role: 'member' as const,
    status: 'active' as const
  }))).execute()
  await visit(page, `${url}/#/inbox?view=all&asked=${oldest?.id}`, 'Approvals')
  const asked = page.getByRole('combobox', { name: 'Asked by' })
  await until(async () => await asked.inputValue() === oldest?.name)
  await page.evaluate("document.querySelector('a.skip').focus()")
  await press('Enter')
  await tabTo(page, 'Asked by')
  await press('ArrowDown')
  const people = page.getByRole('listbox', { name: 'Asked by' }).getByRole('option')
  await people.nth(20).waitFor()
  t.equal(await people.first().textContent(), 'Anyone')
  t.equal(await people.filter({ hasText: 'First' }).count(), 0, 'the list does not reach so far')
  await press('ArrowDown')
  await press('Enter')
  t.notMatch(page.url(), /asked=/)
  t.equal(await asked.inputValue(), '')
  t.equal(await asked.getAttribute('placeholder'), 'Anyone')
})

t.test('of two people of the same name an admin sees what distinguishes them', async (t) => {
  const { workspace_id } = app.home
  const namesakes = [['twin@one.test', randomUUID()], [null, '01900000-0000-7000-8000-000000000001']] as const
  await app.db.insertInto('account_user').values(namesakes.map(([email, id]) =>
    ({ workspace_id, id, name: 'Twin', email, role: 'member' as const, status: 'active' as const }))).execute()
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await come()
  await page.keyboard.type('Twin')
  await until(async () => await options.count() === 2)
  t.match((await offered()).toSorted(), [/^TwinAdded Jun 10, 2024/, 'Twintwin@one.test'])
  t.same(await seriousFindings(page), [])
  await press('Escape')
  await app.db.deleteFrom('account_user').where('id', 'in', namesakes.map(([, id]) => id)).execute()
})

t.test('it fits on a phone, in the dark, and what is found does not move the page', async (t) => {
  const phone = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(phone, app, url)
  await visit(phone.page, `${url}/#/inbox?view=all`, 'Approvals')
  const decided = phone.page.getByRole('combobox', { name: 'Decided by' })
  const below = phone.page.getByRole('combobox', { name: 'Tool' })
  const before = await below.boundingBox()
  await decided.click()
  await phone.page.getByRole('option', { name: 'Anyone' }).waitFor()
  t.same(await below.boundingBox(), before)
  await shoot(phone.page, 'person-choice-small-dark')
  await judgeDark(t, phone.page, 'inbox')
  t.same([...complaints, ...phone.complaints], [])
})
