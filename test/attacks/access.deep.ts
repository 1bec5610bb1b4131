import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import t from '../tap.js'
import { parse } from 'yaml'
import type { AccessRow } from '../../plugins/access-table.js'
import { asAdmin, buildApp } from '../app.js'
import { recordTables } from '../recorded.js'
import { makePerson } from '../routes/account/actors.js'
import { allowDeclared, callerOf, codeOf, expectedOf, outcomeOf, type Answer } from './access.js'
import { fill, missing } from './belongings.js'
import { digest } from './digest.js'
import { walk, type Operation } from './operations.js'
import { makeCallers, type Caller } from './principals.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, refused_credentials_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const call = callerOf(app, resolve)
const table = app.accessTable()

/** An operation's row; the document and the routes name it by its operationId. */
const rowOf = ({ id, method }: Operation): AccessRow => {
  const row = table.find((one) => one.operationId === id && one.method === method)
  if (!row) throw new Error(`No route is declared for ${id}`)
  return row
}

// Reads first, removals last: what is named should be there. Signing out ends a session
// of its own.
const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ending = ['endCurrentSession', 'endSessionEverywhere']
const rank = ({ id, method }: Operation) => ending.includes(id) ? order.length : order.indexOf(method)
const ordered = operations.toSorted((a, b) => rank(a) - rank(b))

/** Every request leaves its trace here. */
const recorded = [...recordTables, 'rate_window', 'account_session']

const close = (answer: Answer) => { answer.stream().destroy() }

interface Documented { operationId: string }

t.test('B19: every route declares who may call it, or why anybody may; openapi.yaml has no other', async (t) => {
  const { paths } = parse(readFileSync('openapi.yaml', 'utf8')) as { paths: Record<string, Record<string, Documented>> }
  const documented = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  t.same(operations.map(({ id }) => id).toSorted(), documented.toSorted())
  t.ok(operations.length > 140, `${operations.length} operations`)
  const silent = table.filter((row) => !row.access && !row.public).map(({ method, url }) => `${method} ${url}`)
  t.same(silent, [], 'a route without config.access or config.public')
  t.same(table.filter((row) => row.access && row.public).map(({ url }) => url), [], 'a route with both')
  const heads = table.filter(({ method }) => method === 'HEAD')
  for (const { url, access } of heads) {
    t.same(access, table.find((row) => row.method === 'GET' && row.url === url)?.access, `HEAD ${url} is as GET`)
  }
})

/** A session that ends with the operation is no other's. */
const headersFor = async ({ id }: Operation, { role, scopes, headers }: Caller) =>
  ending.includes(id) && role && !scopes ? (await makePerson(app, `Leaving ${role}`, role)).headers : headers

/** @returns the outcome for an id that names nothing; what the handler refuses, as its route declares, got in */
const outcomeFor = async (operation: Operation, row: AccessRow, caller: Caller): Promise<string> => {
  const answer = await call(operation, await headersFor(operation, caller), () => missing, row.method)
  if (operation.streams) close(answer)
  const outcome = outcomeOf(answer)
  return expectedOf(row, caller) === 'passed' ? allowDeclared(row, outcome) : outcome
}

/** What the declarations say of the caller, and what the answers say, for every operation, `HEAD` too. */
const compare = async (caller: Caller) => {
  const expected: Record<string, string> = {}
  const found: Record<string, string> = {}
  for (const operation of ordered) {
    const { url } = rowOf(operation)
    const methods = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]
    for (const row of table.filter((one) => one.url === url && methods.includes(one.method))) {
      const name = `${row.method} ${operation.id}`
      expected[name] = expectedOf(row, caller)
      found[name] = await outcomeFor(operation, row, caller)
    }
  }
  return { expected, found }
}

t.test('what a token marked for an assistant may do beside reading is this', async (t) => {
  const open = operations.filter((one) => one.method !== 'GET' && rowOf(one).access && rowOf(one).assistant === true)
  t.same(open.map(({ id }) => id).toSorted(),
    ['addAttachment', 'cancelRun', 'chat', 'checkText', 'proposePlan', 'proposeToolCall', 'queueChatMessage',
      'updatePreferences'])
  const approving = operations.filter((one) => rowOf(one).assistant === 'approving')
  t.same(approving.map(({ id }) => id), ['confirm'], 'and what a command does whose person lets it approve')
})

const named = ordered.filter((operation) => rowOf(operation).access && operation.path.includes('{'))
const ownedBy = (...owners: (string | undefined)[]) =>
  named.filter((operation) => owners.includes(rowOf(operation).access?.owner))

t.test('B15, B20: what is one person\'s is not there for another member, nor for another admin', async (t) => {
  t.ok(ownedBy('person').length >= 8)
  for (const role of ['member', 'admin'] as const) {
    const { headers } = await makePerson(app, `Other ${role}`, role)
    const before = await digest(app, recorded)
    for (const operation of ownedBy('person', ...(role === 'member' ? ['person_or_admin'] : []))) {
      const foreign = await call(operation, headers, (name) => idOf(operation, name))
      const absent = await call(operation, headers, () => missing)
      t.same(codeOf(foreign), codeOf(absent), `${operation.id}, ${role}`)
      t.equal(foreign.statusCode, 404, operation.id)
    }
    t.same(await digest(app, recorded), before, 'and nothing was touched')
  }
})

t.test('B15: what is the workspace\'s is read alike by every member', async (t) => {
  const { headers } = await makePerson(app, 'Any viewer', 'viewer')
  const asked = ownedBy('workspace').filter((one) => one.method === 'GET' && rowOf(one).access?.role === 'viewer')
  t.ok(asked.length > 30, `${asked.length} operations`)
  for (const operation of asked) {
    const [own, other] = [
      await call(operation, asAdmin, (name) => idOf(operation, name)),
      await call(operation, headers, (name) => idOf(operation, name))
    ]
    if (operation.streams) for (const answer of [own, other]) close(answer)
    t.same(codeOf(other), codeOf(own), operation.id)
  }
})

t.test('A1, A4, B19: every operation lets in whom its route declares, and nobody else', async (t) => {
  const callers = await makeCallers(app)
  t.equal(callers.length, 29)
  const { rows } = await sql<{ count: number }>`select count(*) as count from workspace`.execute(app.db)
  t.same(rows, [{ count: 3 }])
  for (const caller of callers) {
    const { expected, found } = await compare(caller)
    t.ok(Object.keys(found).length > 200, `${Object.keys(found).length} requests`)
    t.same(found, expected, caller.name)
  }
})

/** What the declarations say, written out: a change of these lists is a change of who may do what. */
const declaredTo = (method: (method: string) => boolean, role: string): string[] => operations
  .filter((one) => method(one.method) && rowOf(one).access?.role === role).map(({ id }) => id).toSorted()

t.test('B19: what a viewer may write is this, and nothing else', async (t) => {
  // What is their own: tokens (which can do no more than they can), sessions, the connection, the name, conversations,
  // the channels on which they hear of what concerns them, the passkeys with which they sign, the assistants that they
  // let in, and the addresses at which their calendars read.
  t.same(declaredTo((method) => method !== 'GET', 'viewer'), [
    'addAttachment', 'addChannel', 'addContentCalendar', 'cancelRun', 'chat', 'confirmChannel', 'connectCodehost',
    'createApiToken',
    'createPasskey', 'decideAuthorization', 'deleteChatSession', 'deleteContentCalendar', 'deletePasskey',
    'deleteQueuedMessage', 'deleteTrigger',
    'disconnectAssistant', 'disconnectCodehost', 'endBrowserSession', 'forkChatSession', 'generateTitle',
    'giveFeedback', 'offerPasskey', 'openDelivery', 'queueChatMessage', 'removeChannel', 'resendChannelDelivery',
    'revokeApiToken', 'signOperation', 'testChannel', 'updateChannel', 'updateChatSession', 'updateMe',
    'updatePasskey', 'updatePreferences', 'withdrawFeedback'
  ])
  t.same(declaredTo(() => true, 'none'), ['connectIdentity', 'endCurrentSession',
    'endSessionEverywhere', 'getMe', 'listMyIdentities'], 'whoever is somebody may do this')
  t.same(declaredTo(() => true, 'operator'), [
    'addContentComment', 'confirm', 'createTrigger', 'decideConfirmations', 'decideSteps',
    'deleteContentComment', 'editContentComment', 'listPeople',
    'planConfirmation', 'proposePlan', 'proposeToolCall', 'replyToContentComment', 'resolveContentComment',
    'runTrigger', 'signConfirmation', 'signSteps', 'updateTrigger'
  ])
})

t.test('B19: what is an admin\'s alone is this', async (t) => {
  t.same(declaredTo(() => true, 'admin'), [
    'addAuditDestination', 'addIdentityProvider', 'addToolServer', 'connectModel', 'createBinding',
    'createCloudAccount', 'createGroup', 'createUser', 'createUserLink', 'createWorkspace', 'createWorkspaceAdmin', 'deleteBinding',
    'deleteBrandStyle', 'deleteCloudAccount', 'deleteGroup', 'deleteNamedStandard', 'deleteStandard',
    'deleteWorkspace', 'disconnectModel', 'enablePolicies', 'evaluatePolicies', 'exportAudit', 'exportWorkspace', 'getAuditWrite',
    'getBinding', 'getCloudAccountSetup', 'getGroup', 'getIdentityProvider', 'getMetrics', 'getPolicies',
    'getPolicySchema', 'getPolicyVersion', 'getReceipt', 'getUser', 'getWorkspaceById', 'importWorkspace',
    'inviteCodehostAccount', 'listAuditDeadLetters', 'listAuditDestinations', 'listAuditEntries', 'listAuditWrites',
    'listBindings',
    'listDeadDeliveries',
    'listFeedback', 'listGroups', 'listIdentityProviders', 'listPolicyVersions', 'listReceipts', 'listUserIdentities',
    'listUsers', 'listWorkspaces', 'putBrandStyle', 'putPolicies', 'refreshToolServer', 'removeAuditDestination',
    'removeIdentityProvider', 'removeToolServer', 'removeUserIdentity', 'replaceBrand', 'replayPolicies',
    'resendAuditDeadLetter', 'resendDeadDelivery', 'rotateAuditKey', 'testAuditDestination', 'testIdentityProvider',
    'testModelConnection',
    'updateAuditDestination', 'updateBinding', 'updateCloudAccount', 'updateGroup', 'updateIdentityProvider',
    'updateServerTool', 'updateToolServer', 'updateUser', 'updateWorkspace', 'updateWorkspaceById'
  ])
})
