import t from '../tap.js'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { seriousFindings, shoot, startClient, tabTo, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')

t.test('every sentence of the inputs that is no requirement is listed on demand, by keyboard', async (t) => {
  const prose = Array.from({ length: 120 }, (_, at) => `Locker ${at} stands in street ${at}.`).join('\n\n')
  const { id, path } = await makeSession(app, `# Features\n\nDoors must open.\n\n${prose}\n`)
  await generate(app, path)
  const read = (cursor: string) => actor(app).json(`${path}/versions/1/not-taken?all=true&limit=100${cursor}`)
  const first = await read('')
  const rest = await read(`&cursor=${first.next_cursor}`)
  const items: { why: string }[] = [...first.items, ...rest.items]
  t.ok(items.length >= 120, `${items.length} sentences`)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const list = main.locator('details', { hasText: '120 sentences were not taken' })
  await list.locator('summary').press('Enter')
  await tabTo(page, 'Show every sentence')
  await page.keyboard.press('Space')
  await list.getByRole('button', { name: 'Show more' }).waitFor()
  t.equal(await list.getByRole('listitem').count(), 100)
  await list.getByRole('button', { name: 'Show more' }).focus()
  await page.keyboard.press('Enter')
  await list.getByText('Locker 119 stands in street 119.').waitFor()
  t.equal(await list.getByRole('listitem').count(), items.length, 'as many as the API has')
  t.match(await list.getByRole('listitem').first().innerText(), new RegExp(items[0]?.why ?? 'none'), 'with the reason')
  await shoot(page, 'spec-every-sentence')
  t.same(await seriousFindings(page), [])
})

t.test('a document whose every sentence is cited has no other one to show', async (t) => {
  const { id, path } = await makeSession(app, 'Doors must open.\n')
  await generate(app, path)
  t.same((await actor(app).json(`${path}/versions/1/not-taken?all=true`)).items, [])
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  await main.getByText('Sentences of the inputs that are no requirements').click()
  await main.getByRole('checkbox', { name: 'Show every sentence' }).check()
  await main.getByText('Every sentence is cited by a requirement.').waitFor()
})

t.test('the same is there in German', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.\n\nLockers stand in streets.\n')
  await generate(app, path)
  await page.evaluate('localStorage.setItem("steward-language", "de")')
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  await main.getByText('1 Satz wurde nicht als Anforderung übernommen').click()
  await main.getByRole('checkbox', { name: 'Jeden Satz anzeigen' }).check()
  await main.getByText('Lockers stand in streets.').first().waitFor()
  t.same(complaints, [])
})
