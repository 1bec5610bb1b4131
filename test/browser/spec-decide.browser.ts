import t from '../tap.js'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const { json } = actor(app)

const settle = async (path: string, undecided: number) => {
  for (;;) {
    const { current_version: version } = await json(path)
    const { document, checks } = await json(`${path}/versions/${version}`)
    if (checks.coverage.undecided === undecided) return { document, coverage: checks.coverage }
    await page.waitForTimeout(50)
  }
}

t.test('a hundred sentences are decided with y and n alone, and what is left stays in sight', async (t) => {
  const prose = Array.from({ length: 100 }, (_, at) => `Locker ${at} stands in street ${at}.`).join('\n\n')
  const { id, path } = await makeSession(app, `# Features\n\nDoors must open.\n\n${prose}\n`)
  await generate(app, path)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const part = main.getByRole('region', { name: 'Undecided sentences' })
  await part.getByRole('heading', { name: '100 of 101 sentences are undecided' }).waitFor()
  await shoot(page, 'spec-decide')
  t.same(await seriousFindings(page), [])
  await part.getByRole('listitem').first().focus()
  const began = Date.now()
  for (let at = 0; at < 100; at++) await page.keyboard.press(at % 2 === 0 ? 'y' : 'n')
  const { document, coverage } = await settle(path, 0)
  t.comment(`100 sentences in ${Date.now() - began} ms`)
  t.equal(document.requirements.length, 51)
  t.equal(document.dismissed.length, 50)
  t.equal(coverage.decided_pct, 100)
})

t.test('j and k move, e words a sentence or makes it a part of another, N asks why', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.\n\nGuests wait.\n\nThe bell rings.\n\nDoors are heavy.\n')
  await generate(app, path)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const part = main.getByRole('region', { name: 'Undecided sentences' })
  await part.getByRole('listitem').first().focus()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('e')
  await part.getByLabel('Statement').fill('The bell must ring.')
  await part.getByRole('button', { name: 'Take' }).click()
  await page.keyboard.press('N')
  await part.getByLabel('Reason').fill('Everybody knows')
  await page.keyboard.press('Enter')
  await part.getByRole('listitem').first().focus()
  await page.keyboard.press('e')
  await part.getByLabel('Part of').selectOption({ index: 1 })
  await part.getByRole('button', { name: 'Take' }).click()
  const { document } = await settle(path, 0)
  t.match(document.requirements, [
    { statement: 'Doors must open.', citations: [{ quote: 'Doors must open.' }, { quote: 'Guests wait.' }] },
    { statement: 'The bell must ring.', human_edited: true, citations: [{ quote: 'The bell rings.' }] }
  ])
  t.match(document.dismissed, [{ why: 'Everybody knows' }])
})

t.test('the source stands beside the spec: a citation shows its place, and the place what cites it', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.\n\nLamps must glow.\n')
  await generate(app, path)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  await main.getByRole('article', { name: 'FR-002' }).getByRole('button', { name: 'Show source' }).click()
  const source = main.getByRole('complementary', { name: 'Source' })
  await source.locator('mark.active', { hasText: 'Lamps must glow.' }).waitFor()
  t.same(await seriousFindings(page), [])
  await source.locator('mark', { hasText: 'Doors must open.' }).click()
  t.equal(await page.evaluate('document.activeElement.dataset.item'), 'FR-001')
  await source.getByRole('button', { name: 'Close source' }).click()
  t.equal(await source.count(), 0)
  t.same(complaints, [])
})
