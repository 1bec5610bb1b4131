import t, { type Test } from '../tap.js'
import { asAdmin, buildApp, type App } from '../app.js'
import { planOf } from '../plan.js'
import { ApiError } from '../../schemas/errors.js'
import { accountCases } from './account.js'
import type { ConsentCase } from './case.js'
import { codehostCases } from './codehost.js'
import { contentCases } from './content.js'
import { deploymentsCases } from './deployments.js'
import { beforeLastPlan, decide, ended, propose } from './drift.js'
import { infrastructureCases, scaleElsewhere } from './infrastructure.js'
import { manyWaiting } from './limits.js'
import { pseCases } from './pse.js'

const working = await buildApp(t, manyWaiting)
const idle = await buildApp(t, { ...manyWaiting, WORKER: 'false' })

/** Why the same call once more is worth a question. Each other tool refuses it while it is planned. */
const meaningful: Record<string, string> = {
  createBrief: 'Another brief is made: titles are not unique',
  createContent: 'Another draft is made, by another address',
  createSpecSession: 'Another session is made: titles are not unique',
  addSpecInputs: 'Inputs add up, and one text may stand in several places',
  addContentComment: 'Another comment is made',
  replyToContentComment: 'Another reply is made',
  generateContent: 'More drafts are made of the brief',
  generateSpec: 'A model writes something else each time, and rules follow standards that may have changed',
  invokeFunction: 'Code runs',
  replaceBrand: 'A secret is sent again: nobody reads the one that is kept, so that it is replaced',
  deployApp: 'Behind the build that waits, which may leave another image under this tag',
  rollbackBuild: 'Behind the build that waits, which leaves what this one goes back from',
  deployFunction: 'A tag may be another image by now, where no registry says that it is not'
}

/** What is said where there is no such target any more, or something else stands in the way. */
const inTheWay: Record<string, string> = {
  createApp: 'app_name_taken',
  createProject: 'project_name_taken',
  createStandard: 'key_taken',
  deleteApp: 'not_found',
  deleteContent: 'not_found',
  deleteSpecSession: 'not_found',
  undeleteContent: 'not_found',
  deployService: 'deployment_in_progress',
  openSpecIssues: 'no_tasks',
  retryContentGeneration: 'generation_in_progress',
  stopTask: 'task_not_running'
}

const carryOut = async (t: Test, app: App, tool: string, args: Record<string, unknown>) => {
  const call = await propose(app, tool, args)
  const decided = await decide(app, call, call.confirmation?.id)
  t.equal(decided.statusCode, 200, `${tool}: ${decided.payload.slice(0, 300)}`)
  const end = await ended(app, call)
  t.equal(end.status, 'succeeded', `${tool}: ${JSON.stringify(end.result)}`)
}

/** @returns the problem's code; undefined: it would be asked */
const refusal = (app: App, tool: string, args: Record<string, unknown>): Promise<string | undefined> =>
  planOf(app, tool, args).then(() => undefined, (error: unknown) => {
    if (error instanceof ApiError) return error.code
    throw error
  })

/** Does the write, and plans the same again. */
const repeat = (app: App, { tool, arrange }: ConsentCase) => t.test(tool, async (t) => {
  const { args, executed } = await arrange(app)
  await carryOut(t, app, tool, args)
  const before = await executed()
  const code = await refusal(app, tool, args)
  t.equal(code, tool in meaningful ? undefined : inTheWay[tool] ?? 'unchanged', meaningful[tool] ?? '')
  t.equal(await executed(), before, 'planning does nothing')
})

const groups: [App, ConsentCase[]][] = [
  [idle, [accountCases, codehostCases, contentCases, deploymentsCases].flat()],
  [working, [infrastructureCases, pseCases].flat()]
]
for (const [app, cases] of groups) {
  for (const one of cases.filter(({ reads }) => !reads)) await repeat(app, one)
}

t.test('what the lists say is said of tools that there are', async (t) => {
  const writes = new Set(working.tools.writes())
  t.same([...Object.keys(meaningful), ...Object.keys(inTheWay)].filter((name) => !writes.has(name)), [])
})

const scaling = infrastructureCases.find(({ tool }) => tool === 'scaleService') as ConsentCase // It is one of them.

t.test('a write that changes nothing is a problem with its target, and no question', async (t) => {
  const { args } = await scaling.arrange(working)
  await carryOut(t, working, 'scaleService', args)
  const answer = await working.inject({
    method: 'POST',
    url: '/api/v1/agent/tool-calls',
    headers: asAdmin,
    payload: { name: 'scaleService', arguments: { ...args, reason: 'To be sure' } }
  })
  t.match([answer.statusCode, answer.json()], [422, {
    code: 'tool_call_refused',
    cause: { code: 'unchanged', status: 409, target: { kind: 'ecs_service', id: args.service } }
  }])
})

t.test('what another actor has done meanwhile is not done again, at either moment', async (t) => {
  const first = await scaling.arrange(working)
  const call = await propose(working, 'scaleService', first.args)
  await scaleElsewhere(working, 'api', Number(first.args.desired_count))
  const before = await first.executed()
  const answer = await decide(working, call, call.confirmation?.id)
  t.match([answer.statusCode, answer.json()], [409, { code: 'state_changed', cause: { code: 'unchanged' } }])
  t.equal(await first.executed(), before)

  const second = await scaling.arrange(working)
  const tool = working.tools.find('scaleService')
  if (!tool) throw new Error('There is no such tool')
  const restore = beforeLastPlan(tool, () => scaleElsewhere(working, 'api', Number(second.args.desired_count)))
  const late = await propose(working, 'scaleService', second.args)
  t.equal((await decide(working, late, late.confirmation?.id)).statusCode, 200)
  const end = await ended(working, late)
  restore()
  t.match(end, { status: 'failed', result: { code: 'unchanged' } })
  t.equal(await second.executed(), 1, 'once, by the other actor')
})

t.test('who writes without asking is not asked, and may write what is so already', async (t) => {
  const url = '/account/projects'
  const made = await idle.inject({ method: 'POST', url, headers: asAdmin, payload: { name: 'Kept', description: 'Same' } })
  const again = await idle.inject({
    method: 'PATCH', url: `${url}/${made.json().id}`, headers: asAdmin, payload: { description: 'Same' }
  })
  t.equal(again.statusCode, 200)
})
