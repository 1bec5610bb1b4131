import type { FastifyInstance } from 'fastify'
import { saveTest, type AccountRow, findAccount } from '../../../../db/cloud/accounts.js'
import { allow } from '../../../../lib/aws/sessions.js'
import { defineWriteTool } from '../../../../lib/tools/options.js'
import type { ActingAws } from '../../../../lib/aws/account-clients.js'
import type { AccountCheck, AccountTest, MissingPermission, Warning } from '../../../../schemas/cloud/account-test.js'
import {
  AccountParams, capabilityNames, CloudAccount, type AccountStatus, type Capabilities, type Actor
} from '../../../../schemas/cloud/accounts.js'
import { ApiError } from '../../../../schemas/errors.js'
import { byKey } from '../../../../schemas/unknown.js'
import {
  probeAutoscaling, probeBuilds, probeContainers, probeCosts, probeFunctions, probeImages, probeLogs, probeMetrics,
  probeWrites, attempt,
  makeUnknownId, type Findings
} from './probe.js'

/**
 * Opens a session as a write does, with everything that it says of itself; what the role's trust policy allows of that
 * is kept with the account.
 */
const openSession = async (aws: ActingAws, account: AccountRow): Promise<void> => {
  const location = { account: { ...account, session_marks: null }, region: account.default_region }
  await aws.write('sts', location, [allow('sts:GetCallerIdentity', '*')], (sts) => sts.getCallerIdentity({}))
}

/** A session of reads must not write. It is tried on a name that no resource has. */
const isPolicyIgnored = async (aws: ActingAws, account: AccountRow, unknownId: string): Promise<boolean> => {
  const ecs = await aws.client('ecs', account, account.default_region)
  try {
    await ecs.updateService({ cluster: unknownId, service: unknownId })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'aws_resource_not_found'
  }
}

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Tries what sessions may say of themselves, and whether AWS limits them.
 * @returns the account with what was found, and what its owner should know
 */
const probeSessions = async ({ aws, db }: { aws: ActingAws } & Pick<FastifyInstance, 'db'>, account: AccountRow,
  unknownId: string): Promise<{ account: AccountRow, warnings: Warning[] }> => {
  if (account.auth.type !== 'assume_role' || account.read_only) return { account, warnings: [] }
  const [, isIgnored] = await Promise.all([
    openSession(aws, account).catch(unlessRefused),
    isPolicyIgnored(aws, account, unknownId)
  ])
  const found = await findAccount(db, account.workspace_id, account.id) ?? account
  const { tags = true, source_identity = true } = found.session_marks ?? {}
  const warnings: [boolean, Warning][] = [
    [!tags, 'session_tags_not_allowed'],
    [!source_identity, 'source_identity_not_allowed'],
    [isIgnored, 'session_policy_ignored']
  ]
  return { account: found, warnings: warnings.filter(([is]) => is).map(([, warning]) => warning) }
}

type Deps = Pick<FastifyInstance, 'aws' | 'db'>

const deadlineMs = 20_000
const oldKeysMs = 90 * 86_400_000

type Identity = AccountTest['identity']

const identify = async ({ aws }: Deps, account: AccountRow, findings: Findings): Promise<Identity> => {
  const sts = await aws.client('sts', account, account.default_region)
  const probe = { action: 'sts:GetCallerIdentity', capability: null, region: account.default_region }
  const found = await attempt(findings, probe, () => sts.getCallerIdentity({}))
  return found ? { account: found.Account ?? '', arn: found.Arn ?? '' } : null
}

/** AWS must refuse the role without the ExternalId, or anyone who knows its name could assume it. */
const isExternalIdIgnored = async ({ aws }: Deps, account: AccountRow): Promise<boolean> => {
  const { auth, default_region: region } = account
  if (auth.type !== 'assume_role' || auth.role_arn === null) return false
  const base = { ...account, id: `${account.id}:base`, auth: { type: 'ambient' as const }, secret: null }
  const sts = await aws.client('sts', base, region)
  try {
    await sts.assumeRole({ RoleArn: auth.role_arn, RoleSessionName: 'steward-external-id-test' })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const isForeign = (account: AccountRow, identity: NonNullable<Identity>): boolean =>
  account.aws_account_id !== null && account.aws_account_id !== identity.account

const disabledCodes = /^(OptInRequired|UnrecognizedClient|InvalidClientTokenId|AuthFailure|RegionDisabled)/

const warningsOf = (account: AccountRow, identity: NonNullable<Identity>, ignored: boolean, checks: AccountCheck[]) => {
  const { auth } = account
  const old = auth.type === 'access_keys' && Date.now() - Date.parse(auth.rotated_at) > oldKeysMs
  const found: [boolean, Warning][] = [
    [ignored, 'external_id_not_enforced'],
    [old, 'keys_older_than_90_days'],
    [isForeign(account, identity), 'wrong_account'],
    [identity.arn.endsWith(':root'), 'root_credentials'],
    // The identity was found, so credentials that one region does not know are a region that is not switched on.
    [checks.some(({ aws_code: code }) => disabledCodes.test(code ?? '')), 'region_disabled']
  ]
  return found.filter(([is]) => is).map(([, warning]) => warning)
}

/** One line for an action and resource, however many regions refused it. */
const missingOf = ({ denials }: Findings): MissingPermission[] => {
  const found = new Map<string, MissingPermission>()
  for (const { check, error } of denials) {
    // lib/aws/errors.ts gives every refusal this member.
    const { missing_permission: missing } = error.members as { missing_permission: Omit<MissingPermission, 'breaks'> }
    const key = `${missing.action} ${missing.resource}`
    const held = found.get(key) ?? { ...missing, breaks: [] }
    const breaks = check.capability ? [...new Set([...held.breaks, check.capability])] : held.breaks
    found.set(key, { ...held, breaks })
  }
  return [...found.values()]
}

const policyOf = (missing: MissingPermission[]): Record<string, unknown> | null => {
  const actions = [...new Set(missing.map(({ action }) => action))].sort()
  if (actions.length === 0) return null
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] }
}

const capabilitiesOf = (checks: AccountCheck[]): Capabilities => {
  const of = (name: string) => {
    const outcomes = checks.filter(({ capability }) => capability === name).map(({ outcome }) => outcome)
    if (outcomes.includes('denied')) return 'denied'
    return outcomes.some((outcome) => outcome === 'allowed' || outcome === 'inferred') ? 'ok' : 'unknown'
  }
  // Every name of the list is set here, so the object is whole.
  return byKey(capabilityNames, of)
}

/** All regions at once, 20 seconds in all; what has not answered by then is missing from the checks. */
const probeAll = async (aws: ActingAws, account: AccountRow, number: string, unknownId: string,
  findings: Findings): Promise<boolean> => {
  const base = { aws, account, findings, number, unknownId }
  const work = Promise.all([
    probeCosts({ ...base, region: account.default_region }),
    ...account.regions.flatMap((region) =>
      [probeContainers, probeAutoscaling, probeFunctions, probeMetrics, probeImages, probeBuilds, probeLogs, probeWrites]
        .map((probe) => probe({ ...base, region })))
  ])
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<false>((resolve) => { timer = setTimeout(() => resolve(false), deadlineMs) })
  return Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer))
}

const statuses: Record<AccountTest['status'], AccountStatus> =
  { passed: 'connected', partial: 'degraded', failed: 'failed' }

const saveResult = ({ db }: Deps, account: AccountRow, test: AccountTest) =>
  saveTest(db, account.workspace_id, account.id, account.credential_version, {
    aws_account_id: account.aws_account_id ?? test.identity?.account ?? null,
    status: account.status === 'disabled' ? 'disabled' : statuses[test.status],
    capabilities: capabilitiesOf(test.checks),
    last_test: { at: new Date(test.checked_at).toISOString(), status: test.status }
  })

const late = (region: string): AccountCheck => ({
  id: `${region}/late`,
  action: '*',
  capability: null,
  region,
  outcome: 'error',
  resource: null,
  detail: `Not everything was answered within ${deadlineMs / 1_000} s`,
  aws_code: null,
  aws_request_id: null
})

const byId = (a: AccountCheck, b: AccountCheck): number => a.id < b.id ? -1 : 1

/** What is tried once the credentials are known to work. */
const probeIdentified = async (deps: Deps, aws: ActingAws, account: AccountRow, number: string, findings: Findings) => {
  const unknownId = makeUnknownId()
  const sessions = await probeSessions({ db: deps.db, aws }, account, unknownId)
  const [ignored, whole] = await Promise.all([
    isExternalIdIgnored(deps, account),
    probeAll(aws, sessions.account, number, unknownId, findings)
  ])
  return { ignored, whole, sessionWarnings: sessions.warnings }
}

const nothingProbed = { ignored: false, whole: true, sessionWarnings: [] }

/**
 * Tries every action that Steward needs, without side effects, and names what is missing. Keeps what it found.
 * @param actor who asks: the sessions of what it tries say so, as those of other writes do
 */
export const testAccount = async (deps: Deps, account: AccountRow, actor: Actor): Promise<AccountTest> => {
  const began = Date.now()
  const findings: Findings = { checks: [], denials: [] }
  const identity = await identify(deps, account, findings)
  const { ignored, whole, sessionWarnings } = identity
    ? await probeIdentified(deps, deps.aws.actingFor(actor), account, identity.account, findings)
    : nothingProbed
  const checks = [...findings.checks, ...(whole ? [] : [late(account.default_region)])].sort(byId)
  const flawed = checks.some(({ outcome }) => outcome === 'denied' || outcome === 'error')
  const missing = missingOf(findings)
  const test: AccountTest = {
    status: !identity || isForeign(account, identity) ? 'failed' : flawed ? 'partial' : 'passed',
    identity,
    checked_at: new Date(began),
    duration_ms: Date.now() - began,
    checks,
    missing_permissions: missing,
    policy_to_add: policyOf(missing),
    warnings: identity ? [...warningsOf(account, identity, ignored, checks), ...sessionWarnings] : []
  }
  await saveResult(deps, account, test)
  return test
}

export const testTool = defineWriteTool({
  input: { params: AccountParams },
  reads: ['getCloudAccount'],
  basis: 'Nothing changes but what Steward remembers of the test, so nobody is asked',
  async plan ({ account_id: id }, read) {
    const { name, status, environment } = await read(`/cloud/accounts/${encodeURIComponent(id)}`, CloudAccount)
    return {
      target: { kind: 'cloud_account', id, ...(environment && { within: { environment } }), names: [name] },
      summary: `Test the permissions of cloud account ${name}`,
      changes: [{ label: 'Status', before: status, after: 'as the test finds it; nothing in AWS changes' }],
      effect: 'read',
      risk: ['own_records']
    }
  }
})
