import { secret } from '../routes/content/actors.js'
import type { ConsentCase } from './case.js'
import { makeWorld } from './content-world.js'

const elsewhere = { config: { url: 'https://other.example.com/in' }, secret }

const publishContent: ConsentCase = {
  tool: 'publishContent',
  async arrange (app) {
    const { approved, edit, site, news, changeTarget, changeBrand, goLive, publications } = await makeWorld(app)
    const { id } = await approved()
    return {
      args: { content_id: id },
      drifts: {
        'where a target sends': () => changeTarget(site.target_id, elsewhere),
        'how a feed is served': () => changeTarget(news.target_id, { config: { title: 'News', public: true } }),
        'a target is disabled': () => changeTarget(site.target_id, { enabled: false }),
        'what is live': () => goLive(id)
      },
      irrelevant: {
        'a newer draft': () => edit(id, { body_markdown: 'Two taps.' }),
        'what the brand says of texts': () => changeBrand({ description: 'Of payments' }),
        'another target': () => changeBrand({
          publish_targets: [site, news, { kind: 'git_pr', name: 'Git', config: { repo_id: '1' } }]
        })
      },
      executed: async () => (await publications(id)).filter(({ kind }) => kind === 'webhook').length
    }
  }
}

const unpublishContent: ConsentCase = {
  tool: 'unpublishContent',
  async arrange (app) {
    const { approved, edit, news, post, changeTarget, goLive, publications } = await makeWorld(app)
    const { id } = await approved()
    await goLive(id)
    return {
      args: { content_id: id },
      drifts: {
        'where it is live': () => changeTarget(news.target_id, { config: { title: 'News', public: true } }),
        'which version is live': async () => {
          await edit(id, { body_markdown: 'Two taps.' })
          for (const to of ['in_review', 'approved']) await post(`/${id}/transitions`, { to })
          await goLive(id)
        }
      },
      irrelevant: { 'a newer draft': () => edit(id, { body_markdown: 'Two taps.' }) },
      executed: async () => (await publications(id)).filter(({ action }) => action === 'unpublish').length
    }
  }
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

const cancelPublication: ConsentCase = {
  tool: 'cancelPublication',
  async arrange (app) {
    const { approved, edit, post, site, publications } = await makeWorld(app)
    const { id } = await approved()
    const requested = { targets: [site.target_id], publish_at: tomorrow() }
    const [{ id: publication }] = (await post(`/${id}/publish`, requested)).items
    const to = (state: 'retrying' | 'running') => () => app.db.updateTable('content_publication')
      .set({ state, lease_until: new Date(Date.now() + 86_400_000) }).where('id', '=', publication).execute()
    return {
      args: { content_id: id, publication_id: publication },
      drifts: { 'it was sent without success': to('retrying'), 'it is being sent': to('running') },
      irrelevant: { 'a newer draft': () => edit(id, { body_markdown: 'Two taps.' }) },
      executed: async () => (await publications(id)).filter(({ state }) => state === 'cancelled').length
    }
  }
}

const retryPublication: ConsentCase = {
  tool: 'retryPublication',
  async arrange (app) {
    const { approved, edit, post, site, changeTarget, publications } = await makeWorld(app)
    const { id } = await approved()
    const requested = { targets: [site.target_id], publish_at: tomorrow() }
    const [{ id: publication }] = (await post(`/${id}/publish`, requested)).items
    const fail = (error: string) => app.db.updateTable('content_publication')
      .set({ state: 'failed', error, next_attempt_at: null }).where('id', '=', publication).execute()
    await fail('answered_500')
    return {
      args: { content_id: id, publication_id: publication },
      drifts: {
        'where its target sends': () => changeTarget(site.target_id, elsewhere),
        'why it failed': () => fail('redirected')
      },
      irrelevant: { 'a newer draft': () => edit(id, { body_markdown: 'Two taps.' }) },
      executed: async () => (await publications(id)).filter(({ state }) => state !== 'failed').length
    }
  }
}

export const publishingCases = [publishContent, unpublishContent, cancelPublication, retryPublication]
