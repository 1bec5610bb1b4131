import { randomUUID } from 'node:crypto'
import t from 'tap'
import { read } from '../flows/asking.js'
import { judgeDark, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const search = page.getByRole('searchbox', { name: 'Who approves for me: find by name' })
const choice = page.getByRole('combobox', { name: 'Who approves for me' })
const offered = () => choice.getByRole('option').allTextContents()

const addPeople = async (count: number, name: string) => {
  const { workspace_id } = app.home
  const people = Array.from({ length: count }, (_, number) => ({
    workspace_id, id: randomUUID(), name: `${name} ${number}`, role: 'member' as const, status: 'active' as const
  }))
  await app.db.insertInto('account_user').values(people).execute()
  return people
}

t.test('of a few people none has to be looked for', async (t) => {
  await addPeople(3, 'First')
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await choice.getByRole('option', { name: 'First 2' }).waitFor({ state: 'attached' })
  t.equal(await search.count(), 0)
  t.same((await offered()).toSorted(), ['Choose …', 'First 0', 'First 1', 'First 2'], 'and never oneself')
})

t.test('of many, one is found by name, and stays chosen while others are looked for', async (t) => {
  const many = await addPeople(150, 'Person')
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await search.fill('son 14')
  await choice.getByRole('option', { name: 'Person 149' }).waitFor({ state: 'attached' })
  await choice.getByRole('option', { name: 'First 2' }).waitFor({ state: 'detached' })
  t.equal((await offered()).length, 12, 'Person 14 and 140 to 149')
  await choice.selectOption('Person 147')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'person-choice')
  await search.fill('first')
  await choice.getByRole('option', { name: 'First 1' }).waitFor({ state: 'attached' })
  t.equal(await choice.inputValue(), many[147]?.id)
  await page.getByRole('button', { name: 'Let them approve for me' }).press('Enter')
  await page.getByRole('row').filter({ hasText: 'Person 147 for me' }).waitFor()
  t.match((await read(app, '/account/delegations')).items, [{ to: { id: many[147]?.id } }])
})

t.test('nobody is found by what no name has; the page fits on a phone', async (t) => {
  await search.fill('nobody is called so')
  await choice.getByRole('option', { name: 'First 1' }).waitFor({ state: 'detached' })
  t.same(await offered(), ['Choose …'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'settings/away')
  t.same(complaints, [])
})
