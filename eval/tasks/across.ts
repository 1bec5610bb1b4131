import { itemsOf, itemWith, serviceOf } from '../lib/look.js'
import { compileSpec, makeSpec } from '../lib/seeds.js'
import type { Task } from '../task.js'
import { pullSent } from './codehost.js'

const area = 'across'

export const across: Task[] = [
  {
    id: 'as-many-as-api',
    area,
    says: ['Give web-staging as many tasks as api has in production.'],
    approves: [{ tool: 'scaleService', target: 'web-staging', with: { desired_count: 3 } }],
    leaves: ['aws ecs:UpdateService staging/web-staging'],
    check: async (world) => [
      ['both have the same count',
        (await serviceOf(world, 'web-staging')).desiredCount === (await serviceOf(world, 'api')).desiredCount]
    ]
  },
  {
    id: 'project-with-spec',
    area,
    says: ['Create a project "Lighthouse" and in it a spec session "Lamp" without any input.'],
    approves: [
      { tool: 'createProject', with: { name: 'Lighthouse' } }, { tool: 'createSpecSession', with: { title: 'Lamp' } }
    ],
    leaves: ['+account_project', '+pse_session'],
    check: async (world) => {
      const { id } = await itemWith(world, '/account/projects', 'name', 'Lighthouse')
      const { project_id: of } = await itemWith(world, '/pse/sessions', 'title', 'Lamp')
      return [['the session is in the project', id !== undefined && id === of]]
    }
  },
  {
    id: 'issue-to-spec',
    area,
    says: ['Make a spec session "Keep the cart" from issue 6 of larkspur/web: take the issue itself as its input, ' +
      'not a copy of its text.'],
    approves: [{ tool: 'createSpecSession', with: { title: 'Keep the cart' } },
      { tool: 'addSpecInputs', shows: 'Keep the cart' }],
    leaves: ['+pse_session', '+pse_input', '+pse_chunk?', '~pse_session?'],
    check: async (world) => {
      const { session_id: id } = await itemWith(world, '/pse/sessions', 'title', 'Keep the cart')
      const inputs = id === undefined ? [] : await itemsOf(world, `/pse/sessions/${String(id)}/inputs`)
      return [['its one input is the issue', inputs.length === 1 && inputs[0]?.kind === 'repo_issue']]
    }
  },
  {
    id: 'spec-to-pull',
    area,
    setup: async (world) => {
      const spec = await makeSpec(world, 'Night mode', 'The page must be dark at night. The switch shall be visible.')
      await compileSpec(world, spec)
      return { spec }
    },
    says: ['Open a pull request in larkspur/infra with the spec "Night mode".'],
    approves: [{ tool: 'openSpecPull', with: { session_id: '{spec}', repo_id: '7003' } }],
    leaves: [...pullSent('larkspur/infra'), '+pse_pull?', '~pse_session?'],
    check: async ({ get }) => {
      const { items } = await get<{ items: unknown[] }>('/codehost/repos/7003/pulls?state=open')
      return [['a pull request is open', items.length === 1]]
    }
  },
  {
    id: 'project-of-largest-cost',
    area,
    setup: async ({ get }) => {
      const { by_group: groups } = await get<{ by_group: { keys: string[] }[] }>('/cloud/costs')
      return { service: String(groups[0]?.keys[0]) }
    },
    says: ['Which AWS service costs us the most this month? Create a project whose name is exactly its name.'],
    approves: [{ tool: 'createProject', with: { name: '{service}' } }],
    leaves: ['+account_project'],
    check: async (world, _reply, { service }) =>
      [['the project has its name', (await itemWith(world, '/account/projects', 'name', service)).id !== undefined]]
  }
]
