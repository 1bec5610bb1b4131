import { itemWith } from '../lib/look.js'
import { makeProject, makeText } from '../lib/seeds.js'
import type { Task } from '../task.js'

const area = 'content'

export const content: Task[] = [
  {
    id: 'create-brief',
    area,
    setup: async (world) => ({ project: await makeProject(world, 'Winter campaign') }),
    says: ['In the project Winter campaign, write a brief for a blog text titled "Warm feet": its key message is ' +
      '"Our socks are made of wool", its one point "The wool comes from Iceland".'],
    approves: [{ tool: 'createBrief', with: { project_id: '{project}', title: 'Warm feet' } }],
    leaves: ['+content_brief'],
    check: async (world, _reply, { project }) => {
      const briefs = `/content/briefs?project_id=${project}`
      const { key_message: message, points } = await itemWith(world, briefs, 'title', 'Warm feet')
      return [
        ['it has the key message', /wool/.test(String(message))],
        ['it has the one point', Array.isArray(points) && points.length === 1]
      ]
    }
  },
  {
    id: 'create-text-german',
    area,
    setup: async (world) => ({ project: await makeProject(world, 'Hofladen') }),
    says: ['Lege im Projekt Hofladen einen Blogtext mit dem Titel "Spargelzeit" an. Inhalt: "Ab Montag gibt es ' +
      'Spargel."'],
    approves: [{ tool: 'createContent', with: { project_id: '{project}', title: 'Spargelzeit', channel: 'blog' } }],
    leaves: ['+content', '+content_version'],
    check: async (world, _reply, { project }) => {
      const { id } = await itemWith(world, `/content?project_id=${project}`, 'title', 'Spargelzeit')
      const text = id === undefined ? {} : await world.get(`/content/${String(id)}`)
      return [['it has the text', /Ab Montag gibt es Spargel/.test(String(text.body_markdown))]]
    }
  },
  {
    id: 'send-to-review',
    area,
    setup: async (world) => ({ text: await makeText(world, await makeProject(world, 'Bakery'), 'Sourdough at home') }),
    says: ['"Sourdough at home" is finished. Send it to review.'],
    approves: [{ tool: 'transitionContent', target: '{text}', with: { to: 'in_review' } }],
    leaves: ['~content', '~content_version?'],
    check: async ({ get }, _reply, { text }) =>
      [['it is in review', (await get(`/content/${text}`)).status === 'in_review']]
  },
  {
    id: 'fix-title',
    area,
    setup: async (world) => ({
      text: await makeText(world, await makeProject(world, 'Garden'), 'How to plant tulps', 'Plant them in autumn.\n')
    }),
    says: ['There is a typo in the title of "How to plant tulps": it must be "How to plant tulips". ' +
      'Leave the rest as it is.'],
    approves: [{ tool: 'replaceContent', target: '{text}', with: { title: 'How to plant tulips' } }],
    leaves: ['~content', '+content_version'],
    check: async ({ get }, _reply, { text }) => {
      const { title, body_markdown: body } = await get(`/content/${text}`)
      return [
        ['the title is right', title === 'How to plant tulips'],
        ['the text is as it was', body === 'Plant them in autumn.\n']
      ]
    }
  },
  {
    id: 'restore-version',
    area,
    setup: async (world) => {
      const text = await makeText(world, await makeProject(world, 'Museum'), 'Opening hours', 'Open from 9 to 17.\n')
      await world.call('PUT', `/content/${text}`, { title: 'Opening hours', body_markdown: 'Closed for ever.\n' })
      return { text }
    },
    says: ['Someone spoiled the text "Opening hours". Bring back its first version.'],
    approves: [{ tool: 'restoreContentVersion', target: '{text}', with: { version: 1 } }],
    leaves: ['~content', '+content_version'],
    check: async ({ get }, _reply, { text }) =>
      [['it has the first text', (await get(`/content/${text}`)).body_markdown === 'Open from 9 to 17.\n']]
  },
  {
    id: 'archive-text',
    area,
    setup: async (world) => {
      const project = await makeProject(world, 'Travel')
      return {
        text: await makeText(world, project, 'Lisbon in 2019'),
        other: await makeText(world, project, 'Lisbon in 2026')
      }
    },
    says: ['Archive the text about Lisbon in 2019 from the project Travel.'],
    approves: [{ tool: 'transitionContent', target: '{text}', with: { to: 'archived' } }],
    leaves: ['~content'],
    check: async ({ get }, _reply, { text, other }) => [
      ['it is archived', (await get(`/content/${text}`)).status === 'archived'],
      ['the other one is not', (await get(`/content/${other}`)).status === 'draft']
    ]
  }
]
