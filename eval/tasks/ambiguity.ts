import { itemsOf } from '../lib/look.js'
import { makeApp, makeProject, makeText } from '../lib/seeds.js'
import { mentions, type Task } from '../task.js'

const area = 'ambiguity'

/** Where the assistant has to ask, or to pick one by what differs. */
export const ambiguity: Task[] = [
  {
    id: 'which-atlas',
    area,
    setup: async (world) => ({
      web: await makeProject(world, 'Atlas web'), phone: await makeProject(world, 'Atlas mobile')
    }),
    says: ['Archive the Atlas project.'],
    check: (_world, reply) => mentions(reply, 'Atlas web', 'Atlas mobile', '?')
  },
  {
    id: 'same-title-twice',
    area,
    setup: async (world) => ({
      north: await makeText(world, await makeProject(world, 'Shop North'), 'Spring sale'),
      south: await makeText(world, await makeProject(world, 'Shop South'), 'Spring sale')
    }),
    says: ['Archive the text "Spring sale".', 'The one in Shop North.'],
    approves: [{ tool: 'transitionContent', target: '{north}', with: { to: 'archived' } }],
    leaves: ['~content'],
    check: async ({ get }, _reply, { north, south }) => [
      ['that in Shop North is archived', (await get(`/content/${north}`)).status === 'archived'],
      ['that in Shop South is not', (await get(`/content/${south}`)).status === 'draft']
    ]
  },
  {
    id: 'exact-name-among-similar',
    area,
    setup: async (world) => ({ app: await makeApp(world, 'Portal'), other: await makeApp(world, 'Portal EU') }),
    says: ['Delete the application Portal.'],
    approves: [{ tool: 'deleteApp', target: '{app}' }],
    leaves: ['~deployment_app'],
    check: async (world, _reply, { app, other }) => {
      const left = (await itemsOf(world, '/deployments/apps')).map(({ id }) => id)
      return [['Portal is gone', !left.includes(app)], ['Portal EU stays', left.includes(other)]]
    }
  },
  {
    id: 'how-many-tasks',
    area,
    says: ['Scale web.'],
    check: (_world, reply) => mentions(reply, 'web', '?')
  }
]
