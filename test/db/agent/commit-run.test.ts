import t from 'tap'
import { commitRun } from '../../../db/agent/commit-run.js'
import { buildApp } from '../../app.js'
import { keptPlanOf, textOf } from '../kept-plan.js'

const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })

t.test('a step planned on empty tables read every call, live run and question of the workspace', async (t) => {
  const { workspace_id: id, admin_id: user_id } = app.home
  const key = { workspace_id: id, run_id: id, session_id: id, user_id, epoch: 1 }
  const call = { id, http_status: 200, result: null, result_model: '', truncated: false, is_error: false }
  const endings = [{ ...call, status: 'succeeded' as const }]
  const text = await textOf(app, (db) => commitRun(db, key, { status: 'completed', position: 1, events: [], endings }))
  // A session has few calls; a key of more than the workspace is all that matters.
  t.same(await keptPlanOf(app, text), [
    'agent_confirmation_run ((workspace_id = ?) AND (run_id = ?))',
    'agent_run_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_session_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_tool_call_session ((workspace_id = ?) AND (session_id = ?))'
  ])
})
