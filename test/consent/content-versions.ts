import { insertSuggestions } from '../../db/content/suggestions.js'
import type { ConsentCase } from './case.js'
import { makeWorld } from './content-world.js'

const replaceContent: ConsentCase = {
  tool: 'replaceContent',
  async arrange (app) {
    const { write, edit, post, versions, changeBrand } = await makeWorld(app)
    const { id } = await write()
    return {
      args: { content_id: id, title: 'One tap', body_markdown: 'One tap.' },
      drifts: {
        'its text': () => edit(id, { body_markdown: 'Two taps.' }),
        'a field that is left out': () => edit(id, { summary: 'In one tap' }),
        'its review': () => post(`/${id}/transitions`, { to: 'in_review' }),
        'it is archived': () => post(`/${id}/transitions`, { to: 'archived' })
      },
      irrelevant: { 'the brand': () => changeBrand({ min_score: 70 }) },
      sameBy: ['generation', 'suggestions', 'versions', 'publications', 'source_changed'],
      executed: async () => (await versions(id)).filter(({ title }) => title === 'One tap').length
    }
  }
}

const restoreContentVersion: ConsentCase = {
  tool: 'restoreContentVersion',
  async arrange (app) {
    const { write, edit, post, versions } = await makeWorld(app)
    const { id } = await write()
    await edit(id, { title: 'One tap' })
    return {
      args: { content_id: id, version: 1 },
      drifts: {
        'the newest version': () => edit(id, { title: 'Two taps' }),
        'its review': () => post(`/${id}/transitions`, { to: 'in_review' })
      },
      executed: async () => (await versions(id)).filter(({ origin }) => origin === 'restored').length
    }
  }
}

const transitionContent: ConsentCase = {
  tool: 'transitionContent',
  async arrange (app) {
    const { write, edit, post, versions, changeBrand } = await makeWorld(app)
    const { id } = await write()
    await post(`/${id}/transitions`, { to: 'in_review' })
    return {
      args: { content_id: id, to: 'approved', comment: 'As shown' },
      drifts: {
        'the newest version': async () => {
          await edit(id, { title: 'Two taps' })
          await post(`/${id}/transitions`, { to: 'in_review' })
        },
        'its review': () => post(`/${id}/transitions`, { to: 'draft', comment: 'Shorter' })
      },
      irrelevant: { 'the brand': () => changeBrand({ min_score: 70 }) },
      // Which one is the newest is looked up, and shown.
      sameBy: ['version'],
      executed: async () => (await versions(id)).filter((one) => one.review_comment === 'As shown').length
    }
  }
}

const archiveContent: ConsentCase = {
  tool: 'transitionContent',
  async arrange (app) {
    const { approved, edit, goLive, json } = await makeWorld(app)
    const { id } = await approved()
    return {
      args: { content_id: id, to: 'archived' },
      drifts: {
        'its title and status': () => edit(id, { title: 'Two taps' }),
        'it goes live': () => goLive(id)
      },
      variants: { to: 'restore' },
      executed: async () => (await json(`/${id}`)).status === 'archived' ? 1 : 0
    }
  }
}

const deleteContent: ConsentCase = {
  tool: 'deleteContent',
  async arrange (app) {
    const { approved, edit, goLive, get, changeBrand } = await makeWorld(app)
    const { id } = await approved()
    return {
      args: { content_id: id },
      drifts: {
        'a version that would go with it': () => edit(id, { body_markdown: 'Two taps.' }),
        'it goes live': () => goLive(id)
      },
      irrelevant: { 'the brand': () => changeBrand({ min_score: 70 }) },
      executed: async () => (await get(`/${id}`)).statusCode === 404 ? 1 : 0
    }
  }
}

const undeleteContent: ConsentCase = {
  tool: 'undeleteContent',
  async arrange (app) {
    const { write, edit, remove, post, get, changeBrand } = await makeWorld(app)
    const { id, slug } = await write()
    await remove(`/${id}`)
    return {
      args: { content_id: id },
      drifts: {
        'it was brought back, edited and deleted again': async () => {
          await post(`/${id}/undelete`)
          await edit(id, { body_markdown: 'Two taps.' })
          await remove(`/${id}`)
        },
        'its address is taken': () => write({ title: 'Another text', slug, body_markdown: 'Elsewhere.' })
      },
      irrelevant: { 'the brand': () => changeBrand({ min_score: 70 }) },
      executed: async () => (await get(`/${id}`)).statusCode === 200 ? 1 : 0
    }
  }
}

const decideContentSuggestion: ConsentCase = {
  tool: 'decideContentSuggestion',
  async arrange (app) {
    const { write, edit, brief, post, versions, json } = await makeWorld(app)
    const { id, title } = await write()
    const { id: brief_id } = await brief()
    const { generation } = await post('/generate', { brief_id, engine: 'template' })
    await insertSuggestions(app.db, app.home.workspace_id, id, generation.id,
      [{ target: 'title', before: title, text: 'One tap is enough' }])
    const [{ id: suggestion }] = (await json(`/${id}`)).suggestions
    return {
      args: { content_id: id, suggestion_id: suggestion, accept: true },
      drifts: {
        'the text that it is for': () => edit(id, { title: 'Two taps' }),
        'its review': () => post(`/${id}/transitions`, { to: 'in_review' }),
        'it was rejected': () => post(`/${id}/suggestions/${suggestion}`, { accept: false })
      },
      irrelevant: { 'another text of the record': () => edit(id, { summary: 'In one tap' }) },
      executed: async () => (await versions(id)).filter(({ origin }) => origin === 'merged').length
    }
  }
}

export const versionCases = [
  replaceContent, restoreContentVersion, transitionContent, deleteContent, undeleteContent, decideContentSuggestion
]
/** What the same tool does otherwise. */
export const moreVersionCases = [archiveContent]
