import { makePerson } from '../routes/account/actors.js'
import type { App } from '../app.js'
import type { ConsentCase } from './case.js'
import { makeWorld } from './content-world.js'

const body_markdown = 'One tap pays. It is quick.'
const passage = { field: 'body_markdown', exact: 'It is quick' }

/** A record with a comment on it, and what others do to both. */
const makeCommented = async (app: App) => {
  const world = await makeWorld(app)
  const { id } = await world.write({ body_markdown })
  const thread = await world.post(`/${id}/comments`, { text: 'Is it?', passage })
  const path = `/${id}/comments/${thread.id}`
  return {
    ...world,
    id,
    thread: thread.id as string,
    readThread: () => world.json(path),
    answer: () => world.post(`${path}/replies`, { text: 'It is.' }),
    settle: () => world.call('PATCH', path, { resolved: true }),
    archive: () => world.post(`/${id}/transitions`, { to: 'archived' }),
    editText: () => world.edit(id, { body_markdown: `${body_markdown} It is safe.` })
  }
}

const addComment: ConsentCase = {
  tool: 'addContentComment',
  async arrange (app) {
    const { id, json, archive, editText } = await makeCommented(app)
    return {
      args: { content_id: id, text: 'How quick?', passage },
      drifts: { 'it is archived': archive },
      irrelevant: { 'a newer version of the text': editText },
      executed: async () => (await json(`/${id}/comments`)).items.length - 1
    }
  }
}

const reply: ConsentCase = {
  tool: 'replyToContentComment',
  async arrange (app) {
    const { id, thread, readThread, archive, settle } = await makeCommented(app)
    return {
      args: { content_id: id, comment_id: thread, text: 'Two seconds.' },
      drifts: { 'the record is archived': archive },
      irrelevant: { 'another settles it': settle },
      executed: async () => (await readThread()).comments.length - 1
    }
  }
}

const resolve: ConsentCase = {
  tool: 'resolveContentComment',
  async arrange (app) {
    const { id, thread, readThread, answer, archive, editText } = await makeCommented(app)
    return {
      args: { content_id: id, comment_id: thread, resolved: true },
      drifts: { 'another answers it': answer, 'the record is archived': archive },
      irrelevant: { 'a newer version of the text': editText },
      executed: async () => (await readThread()).status === 'resolved' ? 1 : 0
    }
  }
}

const assign: ConsentCase = {
  tool: 'assignContentReviewer',
  async arrange (app) {
    const { id, put, json, archive, editText } = await makeCommented(app)
    const ada = await makePerson(app, 'Ada', 'approver')
    const eve = await makePerson(app, 'Eve', 'approver')
    return {
      args: { content_id: id, user_id: ada.id },
      drifts: { 'another is asked': () => put(`/${id}/reviewer`, { user_id: eve.id }), 'it is archived': archive },
      irrelevant: { 'a newer version of the text': editText },
      executed: async () => (await json(`/${id}/reviewer`)).reviewer?.id === ada.id ? 1 : 0
    }
  }
}

export const deskCases: ConsentCase[] = [addComment, reply, resolve, assign]
