import { asAdmin, type App } from '../../app.js'

export const missing = '01900000-0000-7000-8000-000000000000'
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type Headers = Record<string, string>

/** What tests do with content, as the person of the headers. */
export const actor = (app: App, headers: Headers = asAdmin) => {
  type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  const call = (method: Method, path: string, payload?: object, more: Headers = {}) =>
    app.inject({ method, url: `/content${path.replace(/^\/(?=\?|$)/, '')}`, headers: { ...headers, ...more }, ...(payload && { payload }) })
  return {
    call,
    get: (path: string, more?: Headers) => call('GET', path, undefined, more),
    post: (path: string, payload?: object, more?: Headers) => call('POST', path, payload, more),
    put: (path: string, payload: object, more?: Headers) => call('PUT', path, payload, more),
    remove: (path: string, more?: Headers) => call('DELETE', path, undefined, more),
    json: async (path: string) => (await call('GET', path)).json()
  }
}

export const makeProject = async (app: App, name: string): Promise<string> => {
  const made = await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name } })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json().id
}

export const setBrand = async (app: App, project: string, brand: object) => {
  const answer = await actor(app).put(`/brands/${project}`, brand)
  if (answer.statusCode > 201) throw new Error(answer.payload)
  return answer.json()
}

/** The body of a brief with two facts. */
export const input = (project: string, more: object = {}) => ({
  project_id: project,
  title: 'Faster checkouts with one-tap pay',
  key_message: 'One-tap pay cuts the time of a checkout by 40%',
  points: [
    { text: 'Returning customers pay with one tap', fact_ids: ['f1'] },
    { text: 'Nothing has to be installed', fact_ids: [] }
  ],
  facts: [{
    id: 'f1',
    text: 'A checkout took 21 seconds instead of 35 in our March study',
    source: { kind: 'url', ref: 'https://example.com/study', quote: 'The median checkout took 21 seconds.' }
  }],
  channels: [{ channel: 'blog' }],
  cta: { text: 'Try it', url: 'https://example.com/pay' },
  ...more
})

export const makeBrief = async (app: App, project: string, more: object = {}) => {
  const made = await actor(app).post('/briefs', input(project, more))
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json()
}

/** The body of a blog record. */
export const draft = (project: string, more: object = {}) => ({
  project_id: project,
  channel: 'blog',
  title: 'Pay with one tap',
  body_markdown: 'Returning customers pay with one tap.\n\n## How it works\n\nNothing has to be installed.\n',
  ...more
})

export const makeContent = async (app: App, project: string, more: object = {}) => {
  const made = await actor(app).post('/', draft(project, more))
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json()
}

/** Takes a record's newest version through its review; the brand must allow self-approval. */
export const approve = async (app: App, id: string) => {
  for (const to of ['in_review', 'approved']) {
    const moved = await actor(app).post(`/${id}/transitions`, { to })
    if (moved.statusCode !== 200) throw new Error(moved.payload)
  }
}

/** A project whose people may approve what they wrote. */
export const makeOpenProject = async (app: App, name: string, brand: object = {}) => {
  const project = await makeProject(app, name)
  await setBrand(app, project, { approval: { self_approval: true }, ...brand })
  return project
}

/** Delivers what is due of a record, and what waits for a repetition or for a merge as if its time had come. */
export const publisherOf = (app: App) => {
  const { json } = actor(app)
  const list = async (id: string) => (await json(`/${id}/publications`)).items
  return {
    newest: async (id: string) => (await list(id))[0],
    work: async (id: string): Promise<void> => {
      await app.db.updateTable('content_publication').set({ next_attempt_at: new Date(0) })
        .where('content_id', '=', id).where('state', 'in', ['retrying', 'unknown', 'awaiting_merge']).execute()
      for (const { id: publication_id } of await list(id)) {
        await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
      }
      await app.jobs.drain()
    }
  }
}
