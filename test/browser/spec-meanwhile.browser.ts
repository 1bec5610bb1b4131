import type { Page } from 'playwright-core'
import t from '../tap.js'
import { until } from '../chat.js'
import { actor, addTasks, generate, makeSession } from '../routes/pse/actors.js'
import { openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { app, url, page: mine, complaints } = await startClient(t)
const other = await openWindow(t)
await signIn(other, app, url)
const { page: theirs } = other
const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'

/** Both open the spec before either has written anything. */
const openBoth = async () => {
  const { id, path } = await makeSession(app, text, { artifacts: ['requirements', 'tasks'] })
  await addTasks(app, path, (await generate(app, path)).spec)
  for (const page of [mine, theirs]) await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const read = async () => {
    const { current_version: version } = await actor(app).json(path)
    return { version, ...(await actor(app).json(`${path}/versions/${version}`)).document }
  }
  return read
}

const edit = async (page: Page, name: string, field: string, value: string) => {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByLabel(field).fill(value)
}
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const statements = ({ requirements }: { requirements: { statement: string }[] }) =>
  requirements.map(({ statement }) => statement)

t.test('one Save is enough where another person has changed other parts meanwhile', async (t) => {
  const read = await openBoth()
  await edit(mine, 'Edit FR-001', 'Statement', 'THE SYSTEM SHALL open every door.')
  await edit(theirs, 'Edit FR-002', 'Statement', 'THE SYSTEM SHALL light every lamp.')
  await save(theirs)
  await closed(theirs)
  await save(mine)
  await closed(mine)
  await edit(theirs, 'Edit T001', 'Title', 'Order doors')
  await edit(mine, 'Edit T002', 'Title', 'Order lamps')
  await save(mine)
  await closed(mine)
  await save(theirs)
  await closed(theirs)
  const document = await read()
  t.same(statements(document), ['THE SYSTEM SHALL open every door.', 'THE SYSTEM SHALL light every lamp.'])
  t.match(document.tasks, [{ id: 'T001', title: 'Order doors' }, { id: 'T002', title: 'Order lamps' }])
  t.equal(document.version, 6)
})

t.test('a lock and a removal go with what others have written meanwhile', async (t) => {
  const read = await openBoth()
  await edit(theirs, 'Edit FR-002', 'Statement', 'THE SYSTEM SHALL light every lamp.')
  await save(theirs)
  await closed(theirs)
  await mine.getByRole('button', { name: 'Lock FR-001' }).click()
  await mine.getByRole('button', { name: 'Unlock FR-001' }).waitFor()
  await theirs.getByRole('button', { name: 'Remove T002' }).click()
  await theirs.getByRole('button', { name: 'Remove T002' }).waitFor({ state: 'detached' })
  t.equal(await theirs.evaluate('document.activeElement.textContent'), 'Add a task', 'the focus is not lost')
  const { requirements, tasks } = await read()
  t.match(requirements, [{ locked: true }, { statement: 'THE SYSTEM SHALL light every lamp.' }])
  t.notOk(tasks.some(({ id }: { id: string }) => id === 'T002'))
})

t.test('where both have changed the same part, both texts are in sight until a person decides', async (t) => {
  const read = await openBoth()
  await edit(mine, 'Edit FR-001', 'Statement', 'Mine.')
  await edit(theirs, 'Edit FR-001', 'Statement', 'Theirs.')
  await save(theirs)
  await closed(theirs)
  await save(mine)
  const dialog = mine.getByRole('dialog')
  await dialog.getByText('This part was changed meanwhile; v3 says something else').waitFor()
  await dialog.getByRole('region', { name: 'What v3 says' }).getByText('Theirs.').waitFor()
  t.equal(await dialog.getByLabel('Statement').inputValue(), 'Mine.')
  t.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled())
  t.same(await seriousFindings(mine), [])
  await shoot(mine, 'spec-meanwhile')
  t.equal(statements(await read())[0], 'Theirs.')
  await dialog.getByRole('button', { name: 'Replace it with mine' }).click()
  await save(mine)
  await closed(mine)
  t.equal(statements(await read())[0], 'Mine.')
})

t.test('a form in which nobody has typed shows what others write', async () => {
  await openBoth()
  await mine.getByRole('button', { name: 'Edit FR-001', exact: true }).click()
  await edit(theirs, 'Edit FR-001', 'Statement', 'Written by others.')
  await save(theirs)
  await closed(theirs)
  const statement = mine.getByRole('dialog').getByLabel('Statement')
  await until(async () => await statement.inputValue() === 'Written by others.')
})

t.test('nothing that the pages did was a fault', async (t) => { t.same([...complaints, ...other.complaints], []) })
