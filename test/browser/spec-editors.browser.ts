import t from '../tap.js'
import { actor, addTasks, generate, makeSession } from '../routes/pse/actors.js'
import { narrow, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const dialog = page.getByRole('dialog')
const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'
const { json, post } = actor(app)

const makeTemplate = async () => (await post('/standards', {
  title: 'Our template', kind: 'template', body_markdown: '# Rollout\n\nIn which order?\n'
})).json().standard_id
const standards = [{ standard_id: await makeTemplate() }]

const open = async () => {
  const { id, path } = await makeSession(app, text, { artifacts: ['requirements', 'tasks'], standards })
  await addTasks(app, path, (await generate(app, path)).spec)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const read = async () => (await json(`${path}/versions/${(await json(path)).current_version}`)).document
  return { id, read }
}
const save = async () => {
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

t.test('the title and a section of a template are written, and a locked one has no editor', async (t) => {
  const { read } = await open()
  await page.getByRole('button', { name: 'Edit: Title' }).click()
  await dialog.getByLabel('Title').fill('Lockers of steel')
  await save()
  await main.getByText('Lockers of steel').waitFor()
  await main.locator('summary', { hasText: 'Add a part' }).click()
  await shoot(page, 'spec-add-part')
  t.same(await seriousFindings(page), [])
  await main.getByRole('button', { name: 'Rollout', exact: true }).click()
  await dialog.getByLabel('Rollout').fill('Doors first.')
  await save()
  await main.getByText('Doors first.').waitFor()
  t.match(await read(), { title: 'Lockers of steel', sections: [{ key: 'rollout', text: 'Doors first.' }] })
  await main.getByRole('button', { name: 'Lock Rollout' }).click()
  await main.getByRole('button', { name: 'Unlock Rollout' }).waitFor()
  t.equal(await main.getByRole('button', { name: 'Edit: Rollout' }).count(), 0)
})

t.test('a task is added with what it needs, edited, and removed from those that depend on it', async (t) => {
  const { id, read } = await open()
  const tasks = main.getByRole('region', { name: 'Tasks' })
  const before = (await read()).tasks.length
  await tasks.getByRole('button', { name: 'Add a task' }).click()
  await dialog.getByLabel('Title').fill('Order steel')
  await dialog.getByRole('group', { name: 'Requirements' }).locator('summary').click()
  await dialog.getByRole('checkbox', { name: /^FR-002/ }).check()
  await dialog.getByRole('group', { name: 'Depends on' }).locator('summary').click()
  await dialog.getByRole('checkbox', { name: /^T001/ }).check()
  await dialog.getByLabel('Component').fill('Steel')
  await dialog.getByLabel('Can run beside other tasks').check()
  await shoot(page, 'spec-task')
  await save()
  await tasks.getByText('Steel · FR-002 · after T001 · can run beside others').waitFor()
  const made = (await read()).tasks.at(-1)
  t.same(made, {
    id: `T00${before + 1}`,
    title: 'Order steel',
    requirement_ids: ['FR-002'],
    story_id: null,
    depends_on: ['T001'],
    parallel: true,
    component: 'Steel'
  })
  await tasks.getByRole('button', { name: 'Remove T001' }).click()
  await tasks.getByRole('button', { name: 'Remove T001' }).waitFor({ state: 'detached' })
  t.same((await read()).tasks.filter(({ depends_on: ids }: { depends_on: string[] }) => ids.includes('T001')), [])
  t.same(await seriousFindings(page), [])
  await narrow(t, { app, url }, [`specs/${id}/requirements`])
})

t.test('a question is added, edited, dismissed and asked again', async (t) => {
  const { read } = await open()
  const questions = main.getByRole('region', { name: 'Open questions' })
  await main.locator('summary', { hasText: 'Add a part' }).click()
  await main.getByRole('button', { name: 'Open questions', exact: true }).click()
  await dialog.getByLabel('Question', { exact: true }).fill('Who opens at night?')
  await dialog.getByLabel('Possible answers, one in each line').fill('Nobody\nA guard')
  await dialog.getByLabel('Approval waits for the answer').check()
  await shoot(page, 'spec-question')
  await save()
  await questions.getByText('Who opens at night?').waitFor()
  const { id, ...made } = (await read()).open_questions.at(-1)
  t.match(made, { question: 'Who opens at night?', options: ['Nobody', 'A guard'], blocking: true, status: 'open' })
  await page.getByRole('button', { name: `Edit ${id}`, exact: true }).click()
  await dialog.getByLabel('Concerns').selectOption('FR-002')
  await save()
  const card = main.getByRole('article', { name: 'FR-002' })
  await card.getByText('Who opens at night?').waitFor()
  await card.getByRole('button', { name: `Dismiss ${id}`, exact: true }).click()
  await card.getByText('Who opens at night?').waitFor({ state: 'detached' })
  t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Lock FR-002', 'the focus stays in the card')
  await questions.locator('summary', { hasText: 'settled question' }).click()
  t.same(await seriousFindings(page), [])
  await questions.getByRole('button', { name: `Open again: ${id}` }).click()
  await card.getByText('Who opens at night?').waitFor()
})

t.test('the editors are whole in German, narrow and light', async (t) => {
  const { id } = await open()
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, locale: 'de-DE' })
  await signIn(small, app, url)
  await visit(small.page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const own = small.page.getByRole('dialog')
  await small.page.getByRole('button', { name: 'Aufgabe hinzufügen' }).click()
  await own.getByLabel('Titel').fill('Stahl bestellen')
  t.same(await seriousFindings(small.page), [])
  await shoot(small.page, 'spec-task-small-german')
  t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 360)
  await small.page.reload()
  await small.page.getByText('Hier getippt und nicht gespeichert:').waitFor()
  await small.page.locator('summary', { hasText: 'Teil hinzufügen' }).click()
  t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 360)
  t.same(await seriousFindings(small.page), [])
  await shoot(small.page, 'spec-kept-small-german')
  t.same(small.complaints, [])
})

t.test('nothing that a page did was refused by its policy', async (t) => { t.same(complaints, []) })
