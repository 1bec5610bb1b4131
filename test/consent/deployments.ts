import { randomUUID } from 'node:crypto'
import type { App } from '../app.js'
import { ECS } from '@aws-sdk/client-ecs'
import { actor, builder, claimNext, keepRolling, makeApp, registry, sha, until } from '../routes/deployments/actors.js'
import type { ConsentCase } from './case.js'
import { aws, deployElsewhere } from './infrastructure.js'

const nameOf = (word: string) => `${word} ${randomUUID().slice(0, 8)}`

const appOf = async (app: App, more: object = {}) => {
  const { id, target, source } = await makeApp(app, nameOf('App'), more)
  const change = (values: object) => actor(app).patch(`/apps/${id}`, values)
  const read = () => actor(app).json(`/apps/${id}`)
  return { id: String(id), target, source, change, read }
}

const countBuilds = async (app: App, id: string): Promise<number> =>
  (await app.db.selectFrom('deployment_build').select('id').where('app_id', '=', id).execute()).length

const builds = new WeakMap<App, ReturnType<typeof build>>()

/** Builds an app to the end, as a worker does, and another image after it, so that there is something to go back from. */
const build = async (app: App) => {
  const made = await appOf(app)
  const stop = keepRolling({ teardown: () => undefined }, app)
  const carryOut = async (digit: string) => {
    const started = await builder(app).start(made.id, { commit: sha(digit) })
    await claimNext(app, made.id)
    const ended = await until(() => actor(app).json(`/apps/${made.id}/builds/${started.id}`),
      ({ finished_at: at }) => at !== null, 60_000)
    if (ended.status !== 'succeeded') throw new Error(JSON.stringify(ended))
    return ended
  }
  const first = await carryOut('a')
  await carryOut('b')
  await stop()
  return { ...made, build: first }
}

/** @returns an app with two builds that succeeded, of which the first is given */
const builtOf = (app: App) => {
  const held = builds.get(app) ?? build(app)
  builds.set(app, held)
  return held
}

/** What another actor does to the service that the app deploys, at AWS and past Steward. */
const foreignDrifts = (app: App) => ({
  'another image was deployed': () => deployElsewhere(app, 'web'),
  'all tasks were restarted': () => new ECS(aws(app)).updateService({
    cluster: 'prod', service: 'web', forceNewDeployment: true
  })
})

/** How many tasks there are is no question of what is deployed. */
const scaled = (app: App) => ({
  'it was scaled': () => new ECS(aws(app)).updateService({
    cluster: 'prod', service: 'web', desiredCount: 2 + Math.floor(Math.random() * 3)
  })
})

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
          ...foreignDrifts(app),
          'the template is another one': () => change({ image: `${registry}/web:other-{sha}` }),
          'it runs elsewhere': () => change({
            target: { ...target, service_id: String(target.service_id).replace(/web$/, 'search'), container: 'search' }
          })
        },
        irrelevant: {
          ...scaled(app),
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
      await change({ target })
      // What an earlier turn has left waiting.
      const { items } = await actor(app).json(`/apps/${id}/builds?status=queued`)
      for (const { id: waiting } of items) await actor(app).post(`/apps/${id}/builds/${waiting}/cancel`)
      const before = await countBuilds(app, id)
      return {
        args: { app_id: id, build_id: build.id },
        drifts: {
          ...foreignDrifts(app),
          'it runs elsewhere': () => change({
            target: { ...target, service_id: String(target.service_id).replace(/web$/, 'search'), container: 'search' }
          })
        },
        irrelevant: scaled(app),
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
