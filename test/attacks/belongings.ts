import { insertAudit } from '../../db/audit.js'
import { insertIdentity, insertProvider, newProviderId } from '../../db/account/identities.js'
import { insertPasskey } from '../../db/account/passkeys.js'
import { updateChannel } from '../../db/channels/channels.js'
import { insertDeliveries } from '../../db/channels/deliveries.js'
import { insertDestination, updateDestination } from '../../db/record/destinations.js'
import { insertServer, newServerId, insertPinned } from '../../db/toolservers/servers.js'
import { makeGenerationRunner } from '../../routes/pse/lib/generation/generation-runner.js'
import { asAdmin, type App } from '../app.js'
import { chat } from '../chat.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import { approve, makeBrief, makeContent, makeOpenProject } from '../routes/content/actors.js'
import { png } from '../routes/content/image-bytes.js'
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
  const trigger = await send(app, '/api/v1/agent/triggers',
    { kind: 'webhook', source: 'generic', name: 'Attacked', question: 'What is wrong?' })
  return {
    session_id: session,
    run_id: run,
    tool_call_id: call.tool_call_id,
    message_id: answer.id,
    before_message_id: question.id,
    after_message_id: answer.id,
    confirmation_id: call.confirmation.id,
    trigger_id: trigger.id
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
  const project = await send(app, '/account/projects', { name: 'Attacked specs' })
  const text = 'The locker must open within 2 seconds. Parcels shall be held a week.'
  const { id, path } = await makeSession(app, text, { project_id: project.id })
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
    standard,
    project_id: project.id
  }
}

const ofContent = async (app: App): Promise<Ids> => {
  const project = await makeOpenProject(app, 'Attacked')
  const brief = await makeBrief(app, project)
  const id: string = (await makeContent(app, project)).id
  await approve(app, id)
  const source: string = (await makeContent(app, project)).id
  const image = await send(app, '/content/images', { project_id: project, data: png })
  const passage = { field: 'body_markdown', exact: 'Nothing has to be installed' }
  const thread = await send(app, `/content/${id}/comments`, { text: 'Attacked', passage })
  const calendar = await send(app, '/content/calendar/subscriptions', { name: 'Attacked' })
  const { generation } = await send(app, '/content/generate', { brief_id: brief.id, engine: 'anthropic' })
  // It has ended, so nothing of it changes later.
  await send(app, `/content/generations/${generation.id}/cancel`, {})
  return {
    project_id: project,
    brief_id: brief.id,
    content_id: id,
    source_id: source,
    image_id: image.id,
    version: '1',
    generation_id: generation.id,
    comment_id: thread.id,
    reply_id: thread.comments[0].id,
    calendar_id: calendar.id
  }
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
  const group = await send(app, '/account/groups', { name: 'Attacked', member_ids: [person.id] })
  const binding = await send(app, '/account/bindings',
    { role: 'viewer', subject: { kind: 'group', id: group.id }, scope: { kind: 'project', id: project.id } })
  // Before the passkey, by which others would be signed.
  const channels = await ofChannels(app)
  const { workspace_id, admin_id } = app.home
  const passkey = await insertPasskey(app.db, workspace_id, {
    user_id: admin_id,
    name: 'Attacked',
    credential_id: 'attacked',
    public_key: Buffer.of(0),
    algorithm: -7,
    counter: 0,
    transports: [],
    rp_id: 'attacked.invalid',
    backed_up: false
  })
  return {
    user_id: person.id,
    token_id: token.id,
    project_id: project.id,
    group_id: group.id,
    binding_id: binding.id,
    // No policies are enabled there: a version is missing for all alike.
    version: '1',
    passkey_id: passkey.id,
    workspace_id,
    ...await ofIdentity(app, person.id),
    ...await ofRecord(app),
    ...channels
  }
}

/** A provider that is off, and whose address nobody has. */
const ofIdentity = async ({ db, home: { workspace_id, admin_id } }: App, userId: string): Promise<Ids> => {
  const id = newProviderId()
  const issuer = 'https://id.invalid'
  await insertProvider(db, workspace_id, {
    id,
    issuer,
    name: 'Attacked',
    client_id: 'attacked',
    secret: null,
    scopes: [],
    domains: [],
    groups_claim: null,
    rules: [],
    just_in_time: false,
    joins_by_email: false,
    role: 'viewer',
    check_minutes: 10,
    grace_minutes: 60,
    enabled: false,
    created_by: admin_id
  })
  const identity = await insertIdentity(db, workspace_id, {
    provider_id: id, user_id: userId, issuer, subject: 'attacked', email: null, joined_by: 'link', rule_role: null
  })
  return { provider_id: id, identity_id: identity.id }
}

/** A destination that is off: nothing is sent while others try what they may do with it. */
const ofRecord = async ({ db, home: { workspace_id } }: App): Promise<Ids> => {
  const [write_id, destination_id, letter_id] = [newServerId(), newServerId(), newServerId()]
  await insertAudit(db, {
    id: write_id, workspace_id, via: 'system', operation: 'attacked', outcome: 'succeeded', status: 200, request_id: 'r'
  })
  await insertDestination(db, workspace_id, {
    id: destination_id,
    name: 'attacked',
    kind: 'webhook',
    url: 'https://hooks.invalid/',
    ca: null,
    sends: 'all',
    secret: null,
    position: 0,
    checkpoint_position: 0
  })
  await updateDestination(db, workspace_id, destination_id, { enabled: false })
  await db.insertInto('audit_dead_letter').values({
    workspace_id, id: letter_id, destination_id, what: 'entries', from_seq: 1, to_seq: 1, error: 'refused'
  }).execute()
  return { write_id, destination_id, letter_id }
}

/** A channel of the admin that is off. */
const ofChannels = async (app: App): Promise<Ids> => {
  const { channel } = await send(app, '/account/channels',
    { kind: 'webhook', name: 'Attacked', address: 'https://hooks.invalid/', events: ['asked'] })
  const { db, home: { workspace_id, admin_id } } = app
  await updateChannel(db, workspace_id, channel.id, { enabled: false })
  const facts = { title: 'Attacked', path: '/' }
  const [delivery] = await insertDeliveries(db, workspace_id, [
    { channel_id: channel.id, user_id: admin_id, event: 'test', subject_id: newServerId(), facts, wanted: 'said' }
  ])
  return { channel_id: channel.id, delivery_id: delivery?.id ?? '' }
}

/** A server that is asked nothing here. */
const ofToolServers = async ({ db, home }: App): Promise<Ids> => {
  const id = newServerId()
  const server = { id, name: 'attacked', url: 'https://tools.invalid/mcp', header_names: [], headers: null }
  await insertServer(db, home.workspace_id, { ...server, left_out: [], created_by: home.admin_id })
  const definition = { name: 'send_letter', inputSchema: { type: 'object', properties: {} } }
  await insertPinned(db, home.workspace_id, id, home.admin_id, [
    { name: 'send_letter', definition, hash: `sha256:${'0'.repeat(64)}` }
  ])
  return { server_id: id, tool: 'send_letter' }
}

const areas: Record<string, (app: App) => Promise<Ids>> = {
  api: ofAgent,
  cloud: async (app) => ({ account_id: await accountOf(app) }),
  infrastructure: ofInfrastructure,
  pse: ofSpecs,
  content: ofContent,
  deployments: ofDeployments,
  account: ofAccount,
  'tool-servers': ofToolServers,
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
