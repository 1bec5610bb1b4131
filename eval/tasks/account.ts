import { itemWith } from '../lib/look.js'
import { makeProject } from '../lib/seeds.js'
import type { Task } from '../task.js'

const area = 'account'
const projects = '/account/projects'

export const account: Task[] = [
  {
    id: 'create-project-hindi',
    area,
    says: ['Monsoon नाम का एक नया प्रोजेक्ट बनाओ।'],
    approves: [{ tool: 'createProject', with: { name: 'Monsoon' } }],
    leaves: ['+account_project'],
    check: async (world) => [['it is there', (await itemWith(world, projects, 'name', 'Monsoon')).id !== undefined]]
  },
  {
    id: 'rename-project-portuguese',
    area,
    setup: async (world) => ({ project: await makeProject(world, 'Loja antiga') }),
    says: ['Muda o nome do projeto "Loja antiga" para "Loja nova".'],
    approves: [{ tool: 'updateProject', target: '{project}', with: { name: 'Loja nova' } }],
    leaves: ['~account_project'],
    check: async ({ get }, _reply, { project }) =>
      [['it has the new name', (await get(`${projects}/${project}`)).name === 'Loja nova']]
  },
  {
    id: 'archive-project',
    area,
    setup: async (world) => ({ project: await makeProject(world, 'Trade fair 2024') }),
    says: ['The trade fair is over: archive the project Trade fair 2024.'],
    approves: [{ tool: 'archiveProject', target: '{project}' }],
    leaves: ['~account_project'],
    check: async (world, _reply, { project }) => [
      ['it is archived', (await itemWith(world, `${projects}?archived=true`, 'id', project)).id === project]
    ]
  },
  {
    id: 'describe-project',
    area,
    setup: async (world) => ({ project: await makeProject(world, 'Harbour', { description: 'Nobody wrote this' }) }),
    says: ['Set the description of the project Harbour to "Everything about the new port".'],
    approves: [{ tool: 'updateProject', target: '{project}', with: { description: 'Everything about the new port' } }],
    leaves: ['~account_project'],
    check: async ({ get }, _reply, { project }) => {
      const { name, description } = await get(`${projects}/${project}`)
      return [['it is described', name === 'Harbour' && description === 'Everything about the new port']]
    }
  },
  {
    id: 'default-of-preferences',
    area,
    setup: async ({ call }) => {
      await call('POST', '/api/v1/agent/memory/preferences', {
        set: [{ key: 'spec-language', kind: 'default', applies_to: ['createSpecSession'], value: { locale: 'de' } }]
      })
      return {}
    },
    says: ['Start an empty spec session called "Tea kitchen".'],
    approves: [{ tool: 'createSpecSession', with: { title: 'Tea kitchen', locale: 'de' } }],
    leaves: ['+pse_session'],
    check: async (world) => {
      const { locale } = await itemWith(world, '/pse/sessions', 'title', 'Tea kitchen')
      return [['it has the locale of the preference', locale === 'de']]
    }
  }
]
