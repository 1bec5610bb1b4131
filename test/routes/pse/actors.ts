import { asAdmin, type App } from '../../app.js'

export const missing = '01900000-0000-7000-8000-000000000000'

type Headers = Record<string, string>

/** Calls of the area's operations, as the person of the headers. */
export const actor = (app: App, headers: Headers = asAdmin) => {
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, more: Headers = {}) =>
    app.inject({ method, url: `/pse${path}`, headers: { ...headers, ...more }, ...(payload && { payload }) })
  return {
    call,
    get: (path: string, more?: Headers) => call('GET', path, undefined, more),
    post: (path: string, payload?: object, more?: Headers) => call('POST', path, payload, more),
    patch: (path: string, payload: object, more?: Headers) => call('PATCH', path, payload, more),
    remove: (path: string, more?: Headers) => call('DELETE', path, undefined, more),
    json: async (path: string) => (await call('GET', path)).json()
  }
}

/** Creates a session with a text as its input. @returns its id and path */
export const makeSession = async (app: App, text: string, more: object = {}) => {
  const made = await actor(app).post('/sessions',
    { title: 'Parcel lockers', inputs: [{ kind: 'text', label: 'Brief', text }], ...more })
  if (made.statusCode !== 201) throw new Error(made.payload)
  const { session_id: id } = made.json()
  return { id: String(id), path: `/sessions/${id}` }
}

/** A busy machine takes longer than the usual wait. */
const patient = { prefer: 'wait=60' }

/** Generates by the template engine. @returns the answer's body */
export const generate = async (app: App, path: string, more: object = {}) => {
  const answer = await actor(app).post(`${path}/generate`, { engine: 'template', ...more }, patient)
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json()
}

interface Made { document: { requirements: { id: string, title: string }[] }, version: number }

/** Adds a task for each requirement, as a person writes them. @returns the version that has them */
export const addTasks = async (app: App, path: string, { document: { requirements }, version }: Made) => {
  const ops = requirements.map(({ id, title }, at) => ({
    op: 'add',
    target: 'sections.tasks',
    value: {
      title: `Implement ${id}: ${title}`,
      requirement_ids: [id],
      story_id: null,
      depends_on: at === 1 ? ['T001'] : [],
      parallel: at !== 1,
      component: 'Doors'
    }
  }))
  const { post, json } = actor(app)
  const edited = await post(`${path}/inputs`, { kind: 'edit', base_version: version, ops })
  if (edited.statusCode !== 201) throw new Error(edited.payload)
  return json(`${path}/versions/${version + 1}`)
}
