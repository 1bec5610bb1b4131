import { randomUUID } from 'node:crypto'
import { asAdmin, type App } from '../app.js'
import {
  actor, approve, draft, makeContent, makeOpenProject, secret, setBrand, input
} from '../routes/content/actors.js'

export const hook = { kind: 'webhook', name: 'Site', config: { url: 'https://hooks.example.com/in' }, secret }
export const feed = { kind: 'feed', name: 'Feed', config: { title: 'News' } }

/** A project of its own, with a webhook that nothing is ever sent to and a feed, and what another caller does to it. */
export const makeWorld = async (app: App) => {
  const as = actor(app)
  const name = `Consent ${randomUUID()}`
  const project = await makeOpenProject(app, name, { publish_targets: [hook, feed] })
  const requireOk = async (answer: Awaited<ReturnType<typeof as.post>>) => {
    if (answer.statusCode >= 300) throw new Error(answer.payload)
    return answer.payload === '' ? undefined : answer.json()
  }
  const ofAccount = (path: string, method: 'POST' | 'PATCH', payload?: object) =>
    app.inject({ method, url: `/account/projects/${project}${path}`, headers: asAdmin, ...(payload && { payload }) })
  const brand = () => as.json(`/brands/${project}`)
  const [site, news] = (await brand()).publish_targets
  return {
    ...as,
    app,
    project,
    site,
    news,
    post: async (path: string, payload?: object) => requireOk(await as.post(path, payload)),
    put: async (path: string, payload: object) => requireOk(await as.put(path, payload)),
    archiveProject: async () => requireOk(await ofAccount('/archive', 'POST')),
    renameProject: async () => requireOk(await ofAccount('', 'PATCH', { name: `${name} again` })),
    /** Changes the brand as it is. */
    changeBrand: async (change: object) => setBrand(app, project, { ...await brand(), ...change }),
    /** Changes one of its targets. */
    changeTarget: async (id: string, change: object) => {
      const { publish_targets: all, ...rest } = await brand()
      const targets = all.map((one: { target_id: string }) => one.target_id === id ? { ...one, ...change } : one)
      return setBrand(app, project, { ...rest, publish_targets: targets })
    },
    write: (more: object = {}) => makeContent(app, project, more),
    edit: async (id: string, change: object) =>
      requireOk(await as.put(`/${id}`, { ...await as.json(`/${id}`), ...change })),
    brief: async (more: object = {}) => requireOk(await as.post('/briefs', input(project, more))),
    editBrief: async (id: string, change: object) =>
      requireOk(await as.put(`/briefs/${id}`, { ...await as.json(`/briefs/${id}`), ...change })),
    approved: async (more: object = {}) => {
      const content = await makeContent(app, project, more)
      await approve(app, content.id)
      return content
    },
    publications: async (id: string) => (await as.json(`/${id}/publications`)).items as Record<string, string>[],
    versions: async (id: string) => (await as.json(`/${id}/versions`)).items as Record<string, string>[],
    /** Publishes to the feed, and lets that be done. */
    goLive: async (id: string) => {
      const { items } = await requireOk(await as.post(`/${id}/publish`, { targets: [news.target_id] }))
      for (const { id: publication_id } of items) {
        const data = { workspace_id: app.home.workspace_id, publication_id }
        await app.jobs.enqueue(app.db, 'content.publication', data)
      }
      await app.jobs.drain()
    },
    draft: (more: object = {}) => draft(project, more)
  }
}

export type World = Awaited<ReturnType<typeof makeWorld>>
