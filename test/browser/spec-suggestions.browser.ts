import t from '../tap.js'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const { json, post } = actor(app)

t.test('a suggestion is accepted as it stands, and the others stay in sight', async (t) => {
  const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n'
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  const change = (target: string) => ({ op: 'replace', target, value: { title: 'My own words' } })
  const ops = ['FR-001', 'FR-002'].map(change)
  await post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version: 1, ops }] })
  const again = '# Features\n\nLamps must glow at night.\n\nDoors must open.\n'
  await post(`${path}/inputs`, { inputs: [{ kind: 'text', text: again }] })
  const { generation } = await generate(app, path)
  const targets = generation.suggestions.map(({ target }: { target: string }) => target)
  t.same(targets, ['FR-001', 'FR-002'])
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  const region = page.getByRole('region', { name: 'Suggestions' })
  for (const [at, target] of targets.entries()) {
    await region.getByRole('button', { name: target }).waitFor()
    t.equal(await region.getByRole('button').count(), targets.length - at)
    await shoot(page, 'spec-suggestions')
    t.same(await seriousFindings(page), [])
    await region.getByRole('button', { name: target }).click()
    await region.getByRole('button', { name: target }).waitFor({ state: 'detached' })
  }
  await region.waitFor({ state: 'detached' })
  const { document } = await json(`${path}/versions/${(await json(path)).current_version}`)
  t.notMatch(JSON.stringify(document.requirements), 'My own words')
})

t.test('nothing that a page did was refused by its policy', async (t) => { t.same(complaints, []) })
