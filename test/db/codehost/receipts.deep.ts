import { createHash } from 'node:crypto'
import t from '../../tap.js'
import { v7 as uuid } from 'uuid'
import { insertReceipts, type NewReceipt } from '../../../db/codehost/receipts.js'
import { buildApp } from '../../app.js'
import { keptPlanOf, textOf } from '../kept-plan.js'

const app = await buildApp(t, { WORKER: 'false' })

const receipt = (): NewReceipt => {
  const id = uuid()
  const body = Buffer.from(id)
  return {
    workspace_id: app.home.workspace_id,
    id,
    delivery_id: id,
    event: 'push',
    action: null,
    content_type: 'application/json',
    body,
    body_sha256: createHash('sha256').update(body).digest(),
    secret_id: '0',
    hook_id: null
  }
}

t.test('webhooks planned while there were few receipts read all of them, to find what came before', async (t) => {
  const batch = () => Array.from({ length: 16 }, receipt)
  for (let stored = 0; stored < 50; stored += 1) await insertReceipts(app.db, app.home.workspace_id, batch())
  const text = await textOf(app, (db) => insertReceipts(db, app.home.workspace_id, batch()))
  t.same(await keptPlanOf(app, text), ['codehost_receipt_body ((workspace_id = ?) AND (body_sha256 = ?))'])
})
