import { makeGenerationRunner } from '../../routes/pse/lib/generation-runner.js'
import { asAdmin, type App } from '../app.js'
import { chat } from '../chat.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import { approve, makeBrief, makeContent, makeOpenProject } from '../routes/content/actors.js'
import { accountOf, makeApp, registry } from '../routes/deployments/actors.js'
import { makeSession } from '../routes/pse/actors.js'
import type { Operation } from './operations.js'

export const missing = '01900000-0000-7000-8000-000000000000'

type Ids = Record<string, string>

const send = async (app: App, url: string, payload: object) => {
  const headers = { ...asAdmin, prefer: 'wait=0' }
  const answer = await app.inject({ method: 'POST', url, payload, headers })
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.payload}`)
  return answer.json()
}

/** Lets the whole workspace read the session of `ofAgent`; it is one person's otherwise. */
export const share = async (app: App, session: string): Promise<void> => {
  const url = `/api/v1/agent/sessions/${session}`
  await app.inject({ method: 'PATCH', url, headers: asAdmin, payload: { shared: true } })
}

const firstOf = async (app: App, url: string) => (await app.inject({ url, headers: asAdmin })).json().items[0]

const webOf = async (app: App) => `${await accountOf(app)}~eu-west-1~prod~web`

const ofAgent = async (app: App): Promise<Ids> => {
  const { session, run } = await chat(app, { message: 'hello' })
  const service = await webOf(app)
  const call = await send(app, '/api/v1/agent/tool-calls',
    { name: 'scaleService', arguments: { service, desired_count: 3 } })
  const messages = await app.inject({ url: `/api/v1/agent/sessions/${session}/messages`, headers: asAdmin })
  const [answer, question] = messages.json().items
  return {
    session_id: session,
    run_id: run,
    tool_call_id: call.tool_call_id,
    message_id: answer.id,
    before_message_id: question.id
  }
}

const ofInfrastructure = async (app: App): Promise<Ids> => {
  const service = await webOf(app)
  const deployment = await send(app, `/infrastructure/containers/services/${service}/deploy`,
    { force_new_deployment: true })
  const { id: name } = await firstOf(app, '/infrastructure/serverless/functions')
  return { cluster: 'prod', service, name, deployment_id: deployment.id }
}

const ofSpecs = async (app: App): Promise<Ids> => {
  const { id, path } = await makeSession(app, 'The locker must open within 2 seconds. Parcels shall be held a week.')
  const { generation: { generation_id: generation } } = await send(app, `/pse${path}/generate`, { engine: 'template' })
  await (await makeGenerationRunner(app).claim({ workspace_id: app.home.workspace_id, id: generation }))?.ended
  // People choose the name, and two workspaces may choose the same.
  const standard = `attacked-${app.home.workspace_id.slice(-12)}`
  await send(app, '/pse/standards', { key: standard, title: 'Attacked', kind: 'ruleset', rules: [] })
  return {
    session_id: id,
    input_id: (await firstOf(app, `/pse${path}/inputs`)).input_id,
    generation_id: generation,
    version: '1',
    standard
  }
}

const ofContent = async (app: App): Promise<Ids> => {
  const project = await makeOpenProject(app, 'Attacked')
  const brief = await makeBrief(app, project)
  const id: string = (await makeContent(app, project)).id
  await approve(app, id)
  return { project_id: project, brief_id: brief.id, content_id: id, version: '1' }
}

const ofDeployments = async (app: App): Promise<Ids> => {
  const made = await makeApp(app, 'Attacked')
  const build = await send(app, `/deployments/apps/${made.id}/deploy`, { image: `${registry}/web:1` })
  return { app_id: made.id, build_id: build.id }
}

const ofAccount = async (app: App): Promise<Ids> => {
  const person = await makePerson(app, 'Attacked', 'member')
  const token = await makeToken(app, asAdmin, ['account:read'])
  const project = await send(app, '/account/projects', { name: 'Attacked account' })
  return { user_id: person.id, token_id: token.id, project_id: project.id, workspace_id: app.home.workspace_id }
}

const areas: Record<string, (app: App) => Promise<Ids>> = {
  api: ofAgent,
  cloud: async (app) => ({ account_id: await accountOf(app) }),
  infrastructure: ofInfrastructure,
  pse: ofSpecs,
  content: ofContent,
  deployments: ofDeployments,
  account: ofAccount,
  codehost: async () => ({ repo_id: '7001', number: '1' })
}

/** Fills the home workspace. @returns what of it a path parameter of an operation may name */
export const fill = async (app: App) => {
  const ids = new Map<string, Ids>()
  for (const [area, make] of Object.entries(areas)) {
    const made = await make(app)
    const nothing = Object.entries(made).filter(([, id]) => !id)
    if (nothing.length > 0) throw new Error(`${area}: ${nothing.join()} is not there`)
    ids.set(area, made)
  }
  return (operation: Operation, name: string): string =>
    ids.get(String(operation.path.split('/')[1]))?.[name] ?? missing
}
