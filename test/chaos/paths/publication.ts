import type { Test } from '../../tap.js'
import { draft, secret } from '../../routes/content/actors.js'
import { startReceiver } from '../../routes/content/receiver.js'
import { look, type Survivor } from '../survivor.js'
import { unless, type Path } from './path.js'

interface Publication { id: string, state: string }

const ended = new Set(['succeeded', 'failed', 'cancelled'])

/** Emulates that a minute passes after a worker died: its lease expires, and the sweep enqueues a job. */
const passTime = async ({ query }: Survivor, content: string): Promise<void> => {
  await query(`update content_publication set next_attempt_at = clock_timestamp(), lease_until = case when state =
    'running' then clock_timestamp() end where content_id = $1 and finished_at is null`, [content])
  await query(`insert into jobs.job (name, data) select 'content.publication',
    json_build_object('workspace_id', workspace_id, 'publication_id', id) from content_publication
    where content_id = $1 and finished_at is null`, [content])
}

/** @param onReceived what happens while the target receives the event */
export const preparePublication = async (t: Pick<Test, 'teardown'>, survivor: Survivor,
  onReceived?: () => Promise<void>) => {
  const receiver = await startReceiver(t, onReceived)
  const { id: project } = await survivor.ask('POST', '/account/projects', { name: 'Shop' })
  const target = { kind: 'webhook', name: 'Site', secret, config: { url: `${receiver.url}/hook` } }
  await survivor.ask('PUT', `/content/brands/${String(project)}`,
    { approval: { self_approval: true }, publish_targets: [target] })
  return async (number: number) => {
    const { id } = await survivor.ask('POST', '/content', draft(String(project), { title: `Text ${number}` }))
    const path = `/content/${String(id)}`
    for (const to of ['in_review', 'approved']) await survivor.ask('POST', `${path}/transitions`, { to })
    await survivor.ask('POST', `${path}/publish`, {})
    let passed = false
    const list = async () => {
      if (survivor.died && !passed) {
        await survivor.ask('GET', '/ready')
        // Right after a start, the queue may not be there yet.
        passed = await passTime(survivor, String(id)).then(() => true, () => false)
      }
      // A process that begins may refuse for now: then there is nothing to be seen yet.
      const { items = [] } = await survivor.ask('GET', `${path}/publications`)
      return items as Publication[]
    }
    const made = await look(list, (items) => items.length > 0 && items.every(({ state }) => ended.has(state)))
    const got = receiver.received.filter(({ headers }) => headers['webhook-id'] === made[0]?.id)
    return [
      ...unless(made.length === 1 && made[0]?.state === 'succeeded', `ended as ${JSON.stringify(made)}`),
      ...unless(got.length === 1 || (survivor.died && got.length === 2), `it was sent ${got.length} times`),
      ...unless(new Set(got.map(({ body }) => body)).size === 1, 'it was not the same each time')
    ]
  }
}

/** A text is published to a webhook: one event. It may be sent again with the same id and the same body. */
export const publication: Path = {
  areas: ['publication'],
  settings: { OUTBOUND_ALLOW: '127.0.0.1' },
  prepare: preparePublication
}
