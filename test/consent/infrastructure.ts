import { randomUUID } from 'node:crypto'
import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import { ECS } from '@aws-sdk/client-ecs'
import { Lambda } from '@aws-sdk/client-lambda'
import { SANDBOX_CREDENTIALS } from 'steward-sandbox/aws'
import { asAdmin, type App } from '../app.js'
import { accountOf } from '../routes/deployments/actors.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import type { ConsentCase } from './case.js'

const day = 86_400_000
let counter = 0
/** @returns a number that no other call of this file has */
const next = (): number => ++counter

export const aws = (app: App) => ({ endpoint: String(app.sandbox.aws), region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS })

const post = async (app: App, path: string, payload: object) => {
  const answer = await app.inject({ method: 'POST', url: `/infrastructure${path}`, headers: asAdmin, payload })
  if (answer.statusCode >= 300) throw new Error(answer.payload)
  return answer.json()
}

const serviceId = async (app: App, name: string) => `${await accountOf(app)}~eu-west-1~prod~${name}`
const servicePath = (id: string) => `/containers/services/${encodeURIComponent(id)}`
const functionId = async (app: App, name: string) => `${await accountOf(app)}~eu-west-1~${name}`

/** @returns how many calls of the operation reached AWS with such parameters */
const sent = async (app: App, operation: string, text: RegExp): Promise<number> => {
  const { calls } = await steer(app).call('GET', `/calls?operation=${operation}`)
  return (calls as { params: object }[]).filter(({ params }) => text.test(JSON.stringify(params))).length
}

/** Ends what was deployed before, at AWS and as if it had been watched to its end: an end is a drift like any. */
const settle = async (app: App): Promise<void> => {
  await steer(app).advance(day)
  await app.db.updateTable('service_deployment').set({ status: 'stopped', finished_at: new Date() })
    .where('finished_at', 'is', null).execute()
}

const changeBounds = (app: App, MaxCapacity: number) => new ApplicationAutoScaling(aws(app)).registerScalableTarget({
  ServiceNamespace: 'ecs',
  ScalableDimension: 'ecs:service:DesiredCount',
  ResourceId: 'service/prod/api',
  MinCapacity: 1,
  MaxCapacity
})

/** Another actor scales it, past Steward. */
export const scaleElsewhere = (app: App, service: string, desiredCount: number) =>
  new ECS(aws(app)).updateService({ cluster: 'prod', service, desiredCount })

/** A deployment that Steward knows nothing of. */
export const deployElsewhere = async (app: App, service: string) => {
  const ecs = new ECS(aws(app))
  const { services = [] } = await ecs.describeServices({ cluster: 'prod', services: [service] })
  const { taskDefinition } = await ecs.describeTaskDefinition({ taskDefinition: services[0]?.taskDefinition })
  const { family, containerDefinitions = [], cpu, memory, networkMode } = taskDefinition ?? {}
  const image = `registry/${service}:elsewhere-${next()}`
  const made = await ecs.registerTaskDefinition({
    family,
    cpu,
    memory,
    networkMode,
    containerDefinitions: containerDefinitions.map((container) => ({ ...container, image }))
  })
  await ecs.updateService({ cluster: 'prod', service, taskDefinition: made.taskDefinition?.taskDefinitionArn })
}

/** Other code: the revision changes with it, as with any change. */
const changeCode = (app: App, FunctionName: string) =>
  new Lambda(aws(app)).updateFunctionCode({ FunctionName, ZipFile: Buffer.from(randomUUID()) })

export const infrastructureCases: ConsentCase[] = [
  {
    tool: 'scaleService',
    arrange: async (app) => {
      const id = await serviceId(app, 'api')
      const count = 20 + next()
      await changeBounds(app, 500)
      return {
        args: { service: id, desired_count: count },
        drifts: {
          'it was scaled': () => scaleElsewhere(app, 'api', 300 + next()),
          'another revision runs': () => deployElsewhere(app, 'api'),
          'its bounds are others': () => changeBounds(app, 400)
        },
        irrelevant: {
          'its tasks were restarted': () => new ECS(aws(app)).updateService({
            cluster: 'prod', service: 'api', forceNewDeployment: true
          })
        },
        variants: { desired_count: count + 1, autoscaling: 'suspend', reason: 'Other' },
        executed: () => sent(app, 'UpdateService', new RegExp(`"desiredCount":${count}[,}]`))
      }
    }
  },
  {
    tool: 'stopTask',
    arrange: async (app) => {
      const id = await serviceId(app, 'api')
      await steer(app).advance(60_000)
      const ecs = new ECS(aws(app))
      const list = async () => (await ecs.listTasks({ cluster: 'prod', serviceName: 'api' })).taskArns ?? []
      const [arn = '', other = ''] = await list()
      const task = arn.split('/').at(-1) ?? ''
      return {
        args: { service: id, task },
        drifts: {
          'somebody else stopped it': () => ecs.stopTask({ cluster: 'prod', task: arn })
        },
        irrelevant: {
          'another task was stopped': () => ecs.stopTask({ cluster: 'prod', task: other })
        },
        variants: { task: other.split('/').at(-1), reason: 'Other' },
        executed: () => sent(app, 'StopTask', new RegExp(`"task":"${task}"`))
      }
    }
  },
  {
    tool: 'deployService',
    arrange: async (app) => {
      const id = await serviceId(app, 'search')
      await settle(app)
      const image = `registry/search:${next()}`
      return {
        args: { service: id, image },
        drifts: {
          'another image was deployed': () => deployElsewhere(app, 'search'),
          'all tasks were restarted': () => new ECS(aws(app)).updateService({
            cluster: 'prod', service: 'search', forceNewDeployment: true
          }),
          'a deployment is under way': () =>
            post(app, `${servicePath(id)}/deploy`, { force_new_deployment: true })
        },
        irrelevant: {
          'it was scaled': () => post(app, `${servicePath(id)}/scale`, { desired_count: 1 + next() % 3 })
        },
        variants: { image: 'registry/search:variant' },
        sameBy: ['container', 'expected_task_definition'],
        executed: async () => {
          const rows = await app.db.selectFrom('service_deployment').select('changes').execute()
          return rows.filter(({ changes }) => JSON.stringify(changes).includes(`"after":"${image}"`)).length
        }
      }
    }
  },
  {
    tool: 'deployFunction',
    arrange: async (app) => {
      const id = await functionId(app, 'pdf-render')
      await steer(app).advance(day)
      const image = `registry/pdf:${next()}`
      return {
        args: { name: id, image },
        drifts: {
          'another image was deployed': async () => {
            await new Lambda(aws(app)).updateFunctionCode({
              FunctionName: 'pdf-render', ImageUri: `registry/pdf:other-${next()}`
            })
            await steer(app).advance(day)
          }
        },
        variants: { image: 'registry/pdf:variant' },
        sameBy: ['revision_id'],
        executed: () => sent(app, 'UpdateFunctionCode', new RegExp(`"${image}"`))
      }
    }
  },
  {
    tool: 'moveFunctionAlias',
    arrange: async (app) => {
      const id = await functionId(app, 'pdf-render')
      const lambda = new Lambda(aws(app))
      const publish = async (): Promise<string> => {
        await steer(app).advance(day)
        await lambda.updateFunctionCode({ FunctionName: 'pdf-render', ImageUri: `registry/pdf:published-${next()}` })
        await steer(app).advance(day)
        return (await lambda.publishVersion({ FunctionName: 'pdf-render' })).Version ?? ''
      }
      const [before, version, other] = [await publish(), await publish(), await publish()]
      const move = (FunctionVersion: string, weights: Record<string, number> = {}) => lambda.updateAlias({
        FunctionName: 'pdf-render', Name: 'live', FunctionVersion, RoutingConfig: { AdditionalVersionWeights: weights }
      })
      await move(before)
      const to = new RegExp(`"FunctionVersion":"${version}"`)
      const earlier = await sent(app, 'UpdateAlias', to)
      return {
        args: { name: id, alias: 'live', version },
        drifts: {
          'the alias was moved': () => move(other),
          'the calls of the alias were divided': () => move(before, { [other]: 0.1 })
        },
        variants: { version: other },
        sameBy: ['revision_id', 'versions'],
        executed: async () => await sent(app, 'UpdateAlias', to) - earlier
      }
    }
  },
  {
    tool: 'invokeFunction',
    arrange: async (app) => {
      const id = await functionId(app, 'echo')
      await steer(app).advance(day)
      const marker = `call-${next()}`
      return {
        args: { name: id, payload: { marker } },
        drifts: {
          'its code is other code': async () => {
            await changeCode(app, 'echo')
            await steer(app).advance(day)
          }
        },
        variants: { payload: { marker: 'other' }, mode: 'async' },
        executed: () => sent(app, 'Invoke', new RegExp(`${marker}\\b`))
      }
    }
  },
  {
    tool: 'cancelServiceDeployment',
    arrange: async (app) => {
      const id = await serviceId(app, 'search')
      await settle(app)
      const { id: deployment } = await post(app, `${servicePath(id)}/deploy`, { force_new_deployment: true })
      const row = () => app.db.selectFrom('service_deployment').select(['status', 'cancel_requested_at'])
        .where('id', '=', deployment).executeTakeFirstOrThrow()
      const move = (status: 'queued' | 'updating') => app.db.updateTable('service_deployment')
        .set((row) => ({ status, lease_epoch: row('lease_epoch', '+', 1), lease_until: new Date(Date.now() + day) }))
        .where('id', '=', deployment).execute()
      // As one that no worker has begun; what one has begun is fenced.
      await move('queued')
      return {
        args: { service: id, deployment_id: deployment },
        drifts: {
          'ECS was asked meanwhile': () => move('updating'),
          'it has ended': async () => { await settle(app) },
          'another revision runs': () => deployElsewhere(app, 'search')
        },
        executed: async () => (await row()).cancel_requested_at === null ? 0 : 1
      }
    }
  },
  {
    tool: 'testCloudAccount',
    reads: true,
    arrange: async (app) => ({ args: { account_id: await accountOf(app) }, drifts: {}, executed: async () => 0 })
  }
]
