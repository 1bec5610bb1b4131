import { itemsOf, itemWith } from '../lib/look.js'
import { compileSpec, makeSpec } from '../lib/seeds.js'
import { mentions, type Task } from '../task.js'

const area = 'specs'
const sessions = '/pse/sessions'

export const specs: Task[] = [
  {
    id: 'create-spec',
    area,
    says: ['Start a spec session "Parcel returns" for a feature, with this as its input: "A customer must be able to ' +
      'return a parcel within 30 days." Do not generate anything yet.'],
    approves: [{ tool: 'createSpecSession', with: { title: 'Parcel returns' } },
      { tool: 'addSpecInputs', shows: 'Parcel returns' }],
    leaves: ['+pse_session', '+pse_input', '+pse_chunk?', '~pse_session?'],
    check: async (world) => {
      const { session_id: id } = await itemWith(world, sessions, 'title', 'Parcel returns')
      const inputs = id === undefined ? [] : await itemsOf(world, `${sessions}/${String(id)}/inputs`)
      return [['it has the text as its one input', inputs.length === 1 && inputs[0]?.kind === 'text']]
    }
  },
  {
    id: 'add-spec-input',
    area,
    setup: async (world) => ({ spec: await makeSpec(world, 'Gift cards', 'A gift card must be valid for two years.') }),
    says: ['Add to the spec session "Gift cards" as a text: "A gift card must not be paid out in cash."'],
    approves: [{ tool: 'addSpecInputs', target: '{spec}', shows: 'cash' }],
    leaves: ['+pse_input', '+pse_chunk?', '~pse_session?'],
    check: async (world, _reply, { spec }) =>
      [['it has two inputs', (await itemsOf(world, `${sessions}/${spec}/inputs`)).length === 2]]
  },
  {
    id: 'generate-spec',
    area,
    setup: async (world) => ({
      spec: await makeSpec(world, 'Lockers', 'The locker must open within 2 seconds. Parcels shall be held a week.')
    }),
    says: ['Generate the spec of the session "Lockers" with the template engine.'],
    approves: [{ tool: 'generateSpec', target: '{spec}', with: { engine: 'template' } }],
    leaves: ['+pse_generation', '+pse_version', '~pse_session', '+pse_step?'],
    check: async (world, _reply, { spec }) =>
      [['it has one version', (await itemsOf(world, `${sessions}/${spec}/versions`)).length === 1]]
  },
  {
    id: 'archive-spec-dutch',
    area,
    setup: async (world) => ({ spec: await makeSpec(world, 'Fax orders', 'An order by fax must be confirmed.') }),
    says: ['Archiveer de specificatie "Fax orders"; we hebben haar niet meer nodig.'],
    approves: [{ tool: 'moveSpecSession', target: '{spec}', with: { to: 'archived' } }],
    leaves: ['~pse_session', '+pse_input?'],
    check: async ({ get }, _reply, { spec }) =>
      [['it is archived', (await get(`${sessions}/${spec}`)).state === 'archived']]
  },
  {
    id: 'create-standard',
    area,
    says: ['Create a guideline with the key plain-words and the title "Plain words". Its text: "Write short ' +
      'sentences."'],
    approves: [{ tool: 'createStandard', with: { key: 'plain-words', kind: 'guideline' } }],
    leaves: ['+pse_standard', '+pse_standard_version?'],
    check: async ({ get }) => {
      const made = await get('/pse/standards/plain-words').catch(() => undefined)
      return [
        ['it has the title', made?.title === 'Plain words'],
        ['it has the text', /short sentences/.test(String(made?.body_markdown))]
      ]
    }
  },
  {
    id: 'count-requirements',
    area,
    setup: async (world) => {
      const spec = await makeSpec(world, 'Door bell',
        'The bell must ring within 1 second. The bell shall be silent at night. The battery must last a year.')
      await compileSpec(world, spec)
      return { spec }
    },
    says: ['How many requirements does the spec "Door bell" have?'],
    check: (_world, reply) => mentions(reply, /\b3\b|three/i)
  }
]
