import { randomUUID } from 'node:crypto'
import type { ConsentCase } from './case.js'
import { makeWorld, type World } from './content-world.js'

const byTemplate: ConsentCase = {
  tool: 'generateContent',
  async arrange (app) {
    const { brief, editBrief, archiveProject, post, json } = await makeWorld(app)
    const { id } = await brief()
    return {
      args: { brief_id: id, engine: 'template' },
      drifts: {
        'what the brief says': () => editBrief(id, { key_message: 'Checkouts are faster' }),
        'the channels of the brief': () => editBrief(id, { channels: [{ channel: 'email' }] }),
        'the brief is archived': () => post(`/briefs/${id}/transitions`, { to: 'archived' }),
        'the project is archived': archiveProject
      },
      irrelevant: { 'the status of the brief': () => post(`/briefs/${id}/transitions`, { to: 'ready' }) },
      // Rules it is here either way.
      sameBy: ['engine'],
      executed: async () => (await json(`/?brief_id=${id}`)).items.length
    }
  }
}

/** Nobody works on it here, so that the answer comes after ten seconds only: few drifts. */
const byModel: ConsentCase = {
  tool: 'generateContent',
  async arrange (app) {
    const { brief, editBrief, post, json } = await makeWorld(app)
    const { id } = await brief()
    return {
      args: { brief_id: id, engine: 'anthropic', budget: { max_output_tokens: 9_000 } },
      drifts: {
        'the facts of the brief': () => editBrief(id, { points: [{ text: 'Nothing to install' }], facts: [] }),
        'the brief is archived': () => post(`/briefs/${id}/transitions`, { to: 'archived' })
      },
      executed: async () => (await json(`/?brief_id=${id}`)).items.length
    }
  }
}

const repairByRules: ConsentCase = {
  tool: 'generateContent',
  async arrange (app) {
    const { write, edit, changeBrand, post, versions } = await makeWorld(app)
    const banned = (replacement: string) => changeBrand({ terms: { banned: [{ term: 'cheap', replacement }] } })
    await banned('fair')
    const { id } = await write({ body_markdown: 'A cheap way to pay.' })
    return {
      args: { mode: 'repair', engine: 'template', content_id: id },
      drifts: {
        'the newest version': () => edit(id, { body_markdown: 'A cheap way to pay with one tap.' }),
        'its replacement': () => banned('low-priced'),
        'its review': () => post(`/${id}/transitions`, { to: 'in_review' })
      },
      sameBy: ['engine', 'base_version'],
      executed: async () => (await versions(id)).filter(({ origin }) => origin === 'merged').length
    }
  }
}

/** One of two outputs, as a worker elsewhere left it: no engine here touches it. */
const makeGeneration = async ({ app, brief, post }: World, status: 'running' | 'failed') => {
  const { id: brief_id } = await brief({ channels: [{ channel: 'blog' }, { channel: 'email' }] })
  const { generation: { id } } = await post('/generate', { brief_id, engine: 'template' })
  const budget = { max_output_tokens: 9_000, max_seconds: 60, max_repair_rounds: 0, max_cost_usd: '0.500000' }
  const lost = { code: 'internal', message: 'It broke' }
  const isRunning = status === 'running'
  await app.db.updateTable('content_generation').set({
    status,
    engine: 'anthropic',
    plan: JSON.stringify({ model: app.config.ANTHROPIC_MODEL, budget, warnings: [] }),
    request: JSON.stringify({ mode: 'create', brief_id, engine: 'anthropic', budget }),
    ...(isRunning && {
      finished_at: null, lease_owner: randomUUID(), lease_until: new Date(Date.now() + 86_400_000)
    })
  }).where('id', '=', id).execute()
  await app.db.updateTable('content_generation_output').set(isRunning
    ? { status: 'pending', result_version: null }
    : { status: 'failed', result_version: null, error: JSON.stringify(lost) }).where('generation_id', '=', id).execute()
  const end = (number: number) => app.db.updateTable('content_generation_output')
    .set({ status: 'done', result_version: 2, error: null })
    .where('generation_id', '=', id).where('number', '=', number).execute()
  return { id, end }
}

const cancelContentGeneration: ConsentCase = {
  tool: 'cancelContentGeneration',
  async arrange (app) {
    const { id, end } = await makeGeneration(await makeWorld(app), 'running')
    return {
      args: { generation_id: id },
      drifts: {
        'it has ended': () => app.db.updateTable('content_generation')
          .set({ status: 'succeeded', finished_at: new Date(), lease_owner: null }).where('id', '=', id).execute()
      },
      irrelevant: { 'how far it is': () => end(1) },
      executed: async () => (await app.db.selectFrom('content_generation').select('id').where('id', '=', id)
        .where('cancel_requested_at', 'is not', null).execute()).length
    }
  }
}

const retryContentGeneration: ConsentCase = {
  tool: 'retryContentGeneration',
  async arrange (app) {
    const world = await makeWorld(app)
    const { id, end } = await makeGeneration(world, 'failed')
    return {
      args: { generation_id: id },
      drifts: {
        'what is left of it': () => end(2),
        'nothing is left of it': async () => {
          await end(1)
          await end(2)
        }
      },
      irrelevant: { 'the voice of the brand': () => world.changeBrand({ voice: { summary: 'Plain words' } }) },
      executed: async () => (await app.db.selectFrom('content_generation').select('id').where('retry_of', '=', id)
        .execute()).length
    }
  }
}

export const generatingCases = [byTemplate, cancelContentGeneration, retryContentGeneration]
/** What the same tool does otherwise. */
export const moreGeneratingCases = [byModel, repairByRules]
