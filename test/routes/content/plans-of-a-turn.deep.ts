import t from '../../tap.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp } from '../../chat.js'
import { lastId } from '../../flows/asking.js'
import { actor, makeContent, makeOpenProject } from './actors.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify({ wait_s: 1 }) })
const { json } = actor(app)
const feed = { kind: 'feed', name: 'Feed', config: { title: 'News' } }

t.test('a text that is written and published in one turn needs two approvals, each of the exact text', async (t) => {
  const project = await makeOpenProject(app, 'Free', { approval: { required: false }, publish_targets: [feed] })
  const { id: content_id } = await makeContent(app, project, { body_markdown: 'Old.' })
  const call = (name: string, input: object) => ({ type: 'tool_use' as const, name, input })
  const message = scripted(anthropic, [
    {
      content: [
        call('replaceContent', { content_id, title: 'Pay with one tap', body_markdown: 'New.' }),
        call('publishContent', { content_id })
      ]
    },
    { content: [{ type: 'text', text: 'Done.' }] }
  ])
  const turn = await chat(app, { message })
  const questions = framesOf(turn.frames, 'confirmation_required')
  t.same(questions.map(({ data }) => data.summary),
    ['Write version 2 of "Pay with one tap", a draft; nothing is published'])
  const [first] = questions
  await confirm(app, { session_id: turn.session, confirmation_id: first?.data.confirmation_id, approved: true })
  const { frames } = await follow(app, turn.session, lastId(turn.frames))
  const [second] = framesOf(frames, 'confirmation_required')
  t.match(second?.data, {
    summary: 'Publish version 2 of "Pay with one tap" to Feed', arguments: { content_id, version: 2 }
  })
  t.match((second?.data.preview as { label: string }[]).find(({ label }) => label === 'body_markdown'),
    { before: null, after: 'New.' })
  t.same((await json(`/${content_id}/publications`)).items, [])
  await confirm(app, { session_id: turn.session, confirmation_id: second?.data.confirmation_id, approved: true })
  await follow(app, turn.session, lastId(frames))
  t.match((await json(`/${content_id}/publications`)).items, [{ version: 2 }])
})
