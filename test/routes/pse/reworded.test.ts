import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { json, post } = actor(app)
const text = '# Features\n\nDoors must open.\n\nThe limit must be TBD.\n'
const asks = 'The limit must be TBD.'

type Question = Record<string, unknown> & { id: string, question: string }
const readQuestions = async (path: string): Promise<Question[]> => {
  const { current_version: version } = await json(path)
  return (await json(`${path}/versions/${version}`)).document.open_questions
}

/** Words the question about the limit as a person would. */
const reword = async (path: string, fields: object = { question: 'How many requests at once?', about: 'FR-002' }) => {
  const { current_version: version } = await json(path)
  const answer = await post(`${path}/inputs`, {
    inputs: [{ kind: 'edit', base_version: version, ops: [{ op: 'replace', target: 'Q-1', value: fields }] }]
  })
  if (answer.statusCode !== 201) throw new Error(answer.payload)
}
const make = async () => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  return path
}

t.test('a question that a person has worded otherwise is asked again by no later generation', async (t) => {
  const path = await make()
  const before = await readQuestions(path)
  t.match(before[0], { id: 'Q-1', question: asks, about: 'placeholder' })
  await reword(path)
  const reworded = await readQuestions(path)
  t.match(reworded[0], {
    id: 'Q-1',
    question: 'How many requests at once?',
    about: 'FR-002',
    asked: { question: asks, about: 'placeholder' }
  })
  for (const time of ['the next', 'the one after it']) {
    await generate(app, path)
    t.same(await readQuestions(path), reworded, time)
  }
})

t.test('its answer settles it, and leaves the sentence to a person', async (t) => {
  const path = await make()
  await reword(path)
  await post(`${path}/inputs`, { inputs: [{ kind: 'answer', question_id: 'Q-1', text: 'at most 20 requests' }] })
  for (const time of ['the next', 'the one after it']) {
    const { spec } = await generate(app, path)
    t.match(spec.document.not_taken.filter((one: { class: string }) => one.class === 'undecided'),
      [{ quote: asks, why: 'Q-1 was answered' }], time)
    t.match((await readQuestions(path)).filter(({ id, question }) => id === 'Q-1' || question === asks),
      [{ id: 'Q-1', question: 'How many requests at once?', status: 'answered' }])
  }
})

t.test('one that is worded as before is as before, and a client cannot say how it was asked', async (t) => {
  const path = await make()
  const [before] = await readQuestions(path)
  await reword(path)
  await reword(path, { question: asks, about: 'placeholder', asked: { question: 'Other?', about: null } })
  t.same((await readQuestions(path))[0], before)
})

t.test('one that a person has dismissed after wording it otherwise stays dismissed', async (t) => {
  const path = await make()
  await reword(path, { question: 'How many requests at once?', status: 'dismissed' })
  await generate(app, path)
  t.match((await readQuestions(path)).filter(({ id, question }) => id === 'Q-1' || question === asks),
    [{ id: 'Q-1', status: 'dismissed' }])
})
