import t from '../../../../test/tap.js'
import { compile, session } from './material.js'

t.test('one statement keeps every id that the inputs give it, in their order and once', async (t) => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `REQ-${at}`)
  const text = [...ids, ...ids.slice(0, 50)].map((id) => `- ${id} The door must open.`).join('\n')
  const { requirements } = compile(text)
  t.match(requirements, [{ statement: 'The door must open.' }])
  t.same(requirements.map(({ source_ids: found }) => found), [ids])
})

t.test('requirements stay linked to the only story of their section where another has many', async (t) => {
  const many = Array.from({ length: 300 }, (_, at) => `- As a user, I want to open door ${at} so that I get in.`)
  const { requirements, stories } = compile(['# Doors', ...many, '# Lamps',
    '- As a user, I want to see a lamp so that I find it.', '', 'The lamp must glow.'].join('\n'),
  { session: session({ max_requirements: 1_000 }) })
  const lamp = stories.find(({ want }) => want === 'see a lamp')
  t.same(requirements.filter(({ statement }) => statement === 'The lamp must glow.')
    .map(({ story_ids: ids }) => ids), [[lamp?.id]])
})
