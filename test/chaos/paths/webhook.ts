import { randomUUID } from 'node:crypto'
import { asAdmin } from '../../app.js'
import { pushOf, sign } from '../../routes/codehost/hooks.js'
import { persist } from '../conversation.js'
import { look, type Survivor } from '../survivor.js'
import { unless, type Path } from './path.js'

/** A code host that is named, with a secret that this test knows; it is asked nothing. */
const secret = 'the secret of the webhooks that this path sends'
export const namedHost = { CODEHOST_URL: 'http://127.0.0.1:9', CODEHOST_WEBHOOK_SECRET: secret }

interface Receipt { delivery_id: string, status: string }

/** Lets the pause pass after which a receipt is looked at again, and the sweep that finds it. */
const passTime = async ({ query }: Survivor): Promise<void> => {
  await query("update codehost_receipt set next_attempt_at = now() where status = 'queued'")
  await query("insert into jobs.job (name, data) values ('codehost.receipts', '{}')")
}

/** The code host sends a push again and again until it is accepted. */
export const webhook: Path = {
  areas: ['webhook'],
  settings: namedHost,
  async prepare (_t, survivor) {
    return async (number) => {
      const after = number.toString(16).padStart(40, 'e')
      const body = JSON.stringify({ ...pushOf({ at: 1_780_000_000 + number }), after })
      const delivery = randomUUID()
      const headers = {
        'content-type': 'application/json',
        'x-github-delivery': delivery,
        'x-github-event': 'push',
        'x-hub-signature-256': sign(body, secret)
      }
      const taken = await persist(() => fetch(`${survivor.url}/webhooks/codehost`, { method: 'POST', headers, body }))
      let passed = false
      const list = async () => {
        if (survivor.died && !passed) {
          await survivor.ask('GET', '/ready')
          // Right after a start, the queue may not be there yet.
          passed = await passTime(survivor).then(() => true, () => false)
        }
        const answer = await persist(() => fetch(`${survivor.url}/codehost/receipts?limit=100`, { headers: asAdmin }))
        const { items } = await answer.json() as { items: Receipt[] }
        return items.filter(({ delivery_id: id }) => id === delivery)
      }
      const receipts = await look(list, (items) => items.some(({ status }) => status !== 'queued'))
      const activities = await survivor.query('select id from codehost_activity where after = $1', [after])
      return [
        ...unless(taken.status === 202, `it was answered with ${taken.status}`),
        ...unless(receipts.length === 1 && receipts[0]?.status === 'processed', `kept as ${JSON.stringify(receipts)}`),
        ...unless(activities.length === 1, `the push is recorded ${activities.length} times`)
      ]
    }
  }
}
