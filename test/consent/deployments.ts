import { randomUUID } from 'node:crypto'
import type { App } from '../app.js'
import { actor, builder, makeApp, registry, sha } from '../routes/deployments/actors.js'
import type { ConsentCase } from './case.js'

const nameOf = (word: string) => `${word} ${randomUUID().slice(0, 8)}`

const appOf = async (app: App, more: object = {}) => {
  const { id, target, source } = await makeApp(app, nameOf('App'), more)
  const change = (values: object) => actor(app).patch(`/apps/${id}`, values)
  const read = () => actor(app).json(`/apps/${id}`)
  return { id: String(id), target, source, change, read }
}

const countBuilds = async (app: App, id: string): Promise<number> =>
  (await app.db.selectFrom('deployment_build').select('id').where('app_id', '=', id).execute()).length

/** An app with a build that succeeded, which none else follows. */
const builtOf = async (app: App) => {
  const made = await appOf(app)
  const build = await builder(app).start(made.id, { commit: sha('a') })
  await builder(app).change(build.id, {
    status: 'succeeded', image: `${registry}/web:${sha('a')}`, finished_at: new Date(), lease_owner: null
  })
  return { ...made, build }
}

export const deploymentsCases: ConsentCase[] = [
  {
    tool: 'createApp',
    arrange: async (app) => {
      const { target, source } = await appOf(app)
      const name = nameOf('Created')
      const count = async () => (await app.db.selectFrom('deployment_app').select('id').where('name', '=', name)
        .execute()).length
      return {
        args: { name, source, target, image: `${registry}/web:{sha}` },
        drifts: {},
        variants: {
          target: { ...target, container: 'other' },
          source: { ...source, repo: 'larkspur/api' }
        },
        executed: count
      }
    }
  },
  {
    tool: 'updateApp',
    arrange: async (app) => {
      const { id, change, read, source } = await appOf(app)
      const image = `${registry}/web:approved-{sha}`
      return {
        args: { app_id: id, image },
        drifts: { 'the template is another one': () => change({ image: `${registry}/web:other-{sha}` }) },
        irrelevant: { 'the name is another one': () => change({ name: nameOf('Renamed') }) },
        variants: {
          source: { ...source, repo: 'larkspur/api' }
        },
        executed: async () => (await read()).image === image ? 1 : 0
      }
    }
  },
  {
    tool: 'deleteApp',
    arrange: async (app) => {
      const { id, change, source } = await appOf(app)
      return {
        args: { app_id: id },
        drifts: {
          'it has another name': () => change({ name: nameOf('Something else') }),
          'it is another repository': () => change({ source: { ...source, repo: 'larkspur/api' } })
        },
        irrelevant: { 'the template is another one': () => change({ image: `${registry}/web:v-{sha}` }) },
        executed: async () => (await actor(app).get(`/apps/${id}`)).statusCode === 404 ? 1 : 0
      }
    }
  },
  {
    tool: 'deployApp',
    arrange: async (app) => {
      const { id, change, target } = await appOf(app)
      return {
        args: { app_id: id, commit: sha('b') },
        drifts: {
          'the template is another one': () => change({ image: `${registry}/other:{sha}` }),
          'it runs elsewhere': () => change({
            target: { ...target, service_id: String(target.service_id).replace(/web$/, 'search'), container: 'search' }
          })
        },
        irrelevant: {
          'pushes deploy it': () => change({ auto_deploy: { enabled: false, branch: 'release', paths: [] } })
        },
        variants: { commit: sha('c') },
        executed: () => countBuilds(app, id)
      }
    }
  },
  {
    tool: 'rollbackBuild',
    arrange: async (app) => {
      const { id, build, change, target } = await builtOf(app)
      const before = await countBuilds(app, id)
      return {
        args: { app_id: id, build_id: build.id },
        drifts: {
          'it runs elsewhere': () => change({
            target: { ...target, service_id: String(target.service_id).replace(/web$/, 'search'), container: 'search' }
          })
        },
        executed: async () => await countBuilds(app, id) - before
      }
    }
  },
  {
    tool: 'cancelBuild',
    arrange: async (app) => {
      const { id } = await appOf(app)
      // A build that no worker may claim stays queued.
      const build = await builder(app).start(id, { commit: sha('d') })
      await builder(app).change(build.id, { status: 'queued' })
      const row = () => builder(app).rowOf(build.id)
      return {
        args: { app_id: id, build_id: build.id },
        drifts: { 'a worker has begun it': () => builder(app).change(build.id, { status: 'running' }) },
        executed: async () => ['cancelling', 'cancelled'].includes((await row()).status) ? 1 : 0
      }
    }
  }
]
