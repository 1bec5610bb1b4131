import t from 'tap'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)
const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'

t.test('goals, stories and acceptance criteria are written by a person', async (t) => {
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  await go(`specs/${id}`, 'Parcel lockers')
  const dialog = page.getByRole('dialog')
  const save = async () => {
    t.same(await seriousFindings(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const about = main.getByRole('region', { name: 'What it is about' })
  await about.getByRole('button', { name: /Goals$/ }).click()
  await dialog.getByRole('textbox').fill('Parcels wait for people.\n\n  Nobody queues.  ')
  await save()
  await about.getByText('Nobody queues.').waitFor()
  await main.getByRole('button', { name: 'Add a story' }).click()
  await dialog.getByLabel('Title').fill('Pick up')
  await dialog.getByLabel('As', { exact: true }).fill('a customer')
  await dialog.getByLabel('I want').fill('to open my locker')
  await save()
  await main.getByText('As a customer I want to open my locker').waitFor()
  await page.getByRole('button', { name: 'Edit FR-001' }).click()
  await dialog.getByRole('button', { name: 'Add criterion' }).click()
  await dialog.getByLabel('Given (1)').fill('a code')
  await dialog.getByLabel('When (1)').fill('it is typed')
  await dialog.getByLabel('Then (1)').fill('the door opens')
  await shoot(page, 'spec-criteria')
  await save()
  await main.getByRole('article', { name: 'FR-001' }).getByText('1 acceptance criterion').waitFor()
  const { document } = await actor(app).json(`${path}/versions/4`)
  t.same(document.goals, ['Parcels wait for people.', 'Nobody queues.'])
  t.match(document.requirements[0].acceptance, [{ id: 'FR-001.AC1', given: 'a code', then: 'the door opens' }])
  await shoot(page, 'spec-written')
})

t.test('a question stands at the requirement that it concerns', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.\n')
  await generate(app, path)
  await go(`specs/${id}`, 'Parcel lockers')
  const card = main.getByRole('article', { name: 'FR-001' })
  await card.getByText('How will FR-001 be verified?').waitFor()
  await card.getByRole('textbox', { name: /^Answer to Q-/ }).waitFor()
  t.same(await seriousFindings(page), [])
  t.equal(await main.getByText('How will FR-001 be verified?').count(), 1, 'nowhere else')
  await shoot(page, 'spec-question-beside')
  await narrow(t, { app, url }, [`specs/${id}/requirements`])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
