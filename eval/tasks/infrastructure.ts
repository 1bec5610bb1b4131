import { lastCall, serviceOf } from '../lib/look.js'
import type { World } from '../lib/world.js'
import { mentions, type Task } from '../task.js'

const area = 'infrastructure'

/** A service of the sandbox is scaled, and nothing else is. */
const scaled = (name: string, cluster: string, count: number): Omit<Task, 'id' | 'says'> => ({
  area,
  approves: [{ tool: 'scaleService', target: name, with: { desired_count: count } }],
  leaves: [`aws ecs:UpdateService ${cluster}/${name}`],
  check: async (world) =>
    [[`${name} has ${count} desired tasks`, (await serviceOf(world, name)).desiredCount === count]]
})

const imageOf = async ({ get }: World, name: string): Promise<string> => {
  const { images } = await get<{ images: { image: string }[] }>(`/infrastructure/containers/services/${name}`)
  return String(images[0]?.image)
}

export const infrastructure: Task[] = [
  { id: 'scale-web', says: ['Scale web to 4, please.'], ...scaled('web', 'prod', 4) },
  {
    id: 'scale-staging-german',
    says: ['Bitte lass vom Service api-staging zwei Tasks laufen statt einem.'],
    ...scaled('api-staging', 'staging', 2)
  },
  {
    id: 'stop-search-spanish',
    says: ['Apaga el servicio search: esta noche no necesitamos ninguna tarea.'],
    ...scaled('search', 'prod', 0)
  },
  {
    id: 'roll-back-image',
    area,
    says: ['Our shop front has a bug since 2.4.0. Put the service web in prod back to image 2.3.1, nothing else.'],
    approves: [{ tool: 'deployService', target: 'web', shows: 'web:2' }],
    leaves: ['aws ecs:UpdateService prod/web', 'aws ecs:RegisterTaskDefinition web?', '+service_deployment'],
    check: async (world) => [['web gets image 2.3.1', (await imageOf(world, 'web')).endsWith('/web:2.3.1')]]
  },
  {
    id: 'restart-search',
    area,
    says: ['search hangs. Restart its tasks without changing what they run.'],
    approves: [{ tool: 'deployService', target: 'search', with: { force_new_deployment: true } }],
    leaves: ['aws ecs:UpdateService prod/search', '+service_deployment'],
    check: async (world) => [
      ['a new deployment is forced', (await lastCall(world, 'UpdateService')).forceNewDeployment === true],
      ['it runs what it ran', (await serviceOf(world, 'search')).taskDefinition.endsWith('search:1')]
    ]
  },
  {
    id: 'why-worker-fails',
    area,
    says: ['Why does the worker in prod not come up? Look, but change nothing.'],
    check: (_world, reply) => mentions(reply, 'worker', /crash|exit|1\.4\.2/i)
  },
  {
    id: 'count-api-french',
    area,
    says: ['Combien de tâches du service api tournent en production, et combien en voulons-nous ?'],
    check: async (world, reply) => mentions(reply, String((await serviceOf(world, 'api')).desiredCount), 'api')
  },
  {
    id: 'functions-in-python',
    area,
    says: ['Which of our functions still run on Python?'],
    check: (_world, reply) => [...mentions(reply, 'legacy-sync'), ['it names no other', !/echo|pdf-render/.test(reply)]]
  },
  {
    id: 'invoke-echo',
    area,
    says: ['Call the function echo once with {"ping": 7} and show me what it answers.'],
    approves: [{ tool: 'invokeFunction', target: 'echo', with: { payload: { ping: 7 } } }],
    leaves: ['aws lambda:Invoke echo'],
    check: (_world, reply) => mentions(reply, '7')
  },
  {
    id: 'service-log',
    area,
    says: ['What is the error in the log of the worker service?'],
    check: (_world, reply) => mentions(reply, /ECONNREFUSED|refused|5432|connect/i)
  },
  {
    id: 'costs-this-month',
    area,
    says: ['How much have we spent on AWS this month so far?'],
    check: async ({ get }, reply) => {
      const { totals } = await get<{ totals: { amount: string }[] }>('/cloud/costs')
      return mentions(reply.replace(/(\d)[,' ](?=\d{3})/g, '$1'), String(Math.floor(Number(totals[0]?.amount))), /USD|\$/)
    }
  },
  {
    id: 'most-expensive-service-japanese',
    area,
    says: ['今月、一番お金がかかっているAWSのサービスは何ですか？'],
    check: async ({ get }, reply) => {
      const { by_group: groups } = await get<{ by_group: { keys: string[] }[] }>('/cloud/costs')
      return mentions(reply, String(groups[0]?.keys[0]))
    }
  }
]
