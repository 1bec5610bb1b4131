import t from '../tap.js'
import { attempt, prepare } from '../../eval/lib/judge.js'
import { record, toTurns } from '../../eval/lib/record.js'
import { startReplay } from '../../eval/lib/replay.js'
import { readTranscript, resolveTurn, untable, writeTranscript } from '../../eval/lib/transcript.js'
import { startWorld } from '../../eval/lib/world.js'
import { tasks } from '../../eval/tasks/index.js'
import { makeDatabase, makeFolder } from '../app.js'

const replay = await startReplay()
t.teardown(() => replay.close())

const makeWorld = async () => {
  const database = await makeDatabase(t)
  const own = database === undefined ? undefined : { DATABASE_URL: database, DATABASE_POOL: '5' }
  const world = await startWorld({ ...replay.environment, ...own })
  t.teardown(() => world.close())
  return world
}

t.test('what was recorded in one world is played in another, whose ids are others', async (t) => {
  const task = tasks.find(({ id }) => id === 'rename-app-polish')
  if (!task) throw new Error('The task is gone')
  const [first, second] = [await makeWorld(), await makeWorld()]
  const prepared = await prepare(first, task)
  replay.play(readTranscript(task.id)?.turns ?? [])
  const { talk } = await attempt(first, task, prepared)
  const folder = makeFolder(t)
  writeTranscript(await record(first, talk.session, task.id, 'a-model'), folder)
  const recorded = readTranscript(task.id, folder)
  t.match(recorded, { task: task.id, made_by: /^recorded from a-model on \d{4}-\d\d-\d\d$/ })
  t.same(recorded?.turns.map(({ calls = [] }) => calls.map(({ name }) => name)),
    [['listApps', 'findTools'], ['updateApp'], []])
  t.same(recorded?.turns[1]?.calls?.[0]?.input, { app_id: '{{1.1.items.0.id}}', name: 'Kiosk Warszawa' })
  const again = await prepare(second, task)
  replay.play(recorded?.turns ?? [])
  t.same([(await attempt(second, task, again)).problems, replay.problems()], [[], []])
})

t.test('a reference is replaced by what the result has there; one without a value is refused', async (t) => {
  const results = [[{ items: [{ name: 'a', id: '1' }, { name: 'b', id: '2' }] }]]
  const turn = (text: string) => resolveTurn({ text }, results).text
  t.equal(turn('{{1.1.items.name=b.id}} and {{1.1.items.0.id}}'), '2 and 1')
  t.throws(() => turn('{{1.1.items.name=c.id}}'), { message: 'The results have no 1.1.items.name=c.id' })
  t.throws(() => turn('{{2.1.id}}'))
})

t.test('a table that a model gets is a list again', async (t) => {
  t.same(untable({ items: { count: 2, same: { x: 1 }, columns: ['id', 'of'], rows: [['a', [1]], ['b', null]] } }),
    { items: [{ x: 1, id: 'a', of: [1] }, { x: 1, id: 'b', of: null }] })
})

t.test('a search by the provider is recorded as one by Steward, before what it found is called', async (t) => {
  const id = '01a20aea-cd4b-7509-b43e-9f4d2835e541'
  const result = (tool_use_id: string, content: object) =>
    ({ role: 'user', content: [{ type: 'tool_result', tool_use_id, content: JSON.stringify({ content }) }] })
  t.same(toTurns([
    { role: 'user', content: 'Archive Atlas' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'listProjects', input: {} }] },
    result('a', { items: [{ id }] }),
    {
      role: 'assistant',
      content: [
        { type: 'thinking' },
        { type: 'text', text: 'I search.' },
        { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'archive projects' } },
        { type: 'tool_search_tool_result', tool_use_id: 's', content: {} },
        { type: 'tool_use', id: 'b', name: 'archiveProject', input: { project_id: id } }
      ]
    },
    result('b', { id }),
    { role: 'assistant', content: 'Done.' }
  ]), [
    { calls: [{ name: 'listProjects', input: {} }] },
    { text: 'I search.', calls: [{ name: 'findTools', input: { query: 'archive projects' } }] },
    { calls: [{ name: 'archiveProject', input: { project_id: '{{1.1.items.0.id}}' } }] },
    { text: 'Done.' }
  ])
})
