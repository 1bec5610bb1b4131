import { randomBytes } from 'node:crypto'
import type { AccountRow } from '../../db/cloud/accounts.js'
import { type Actor, type SessionMarks, permissions } from '../../schemas/cloud/accounts.js'
import type { Principal } from '../security/principal.js'
import { isRead } from './operations.js'

export type { Actor, SessionMarks }

type Who = Pick<Principal, 'user_id' | 'via' | 'via_id' | 'confirmation_id'>

/** @returns the actor as audit rows name them: `user_id`, and `via_id` of what the assistant does */
export const actorOf = ({ user_id, via, via_id, confirmation_id }: Who): Actor =>
  ({ user_id, run_id: via === 'assistant' ? via_id : null, confirmation_id: confirmation_id ?? null })

/** How STS is asked to name a session, in its own terms. */
export interface SessionIdentity {
  RoleSessionName: string
  SourceIdentity?: string
  Tags?: { Key: string, Value: string }[]
}

/** The name of all sessions of a person: CloudTrail looks events up by it, and by an exact match only. */
export const personSession = (userId: string): string => `steward.${userId}`

const sharedName = (accountId: string): string => `steward-${accountId}`

/** The session that all reads of an account share. */
export const readIdentity = (accountId: string): SessionIdentity => ({ RoleSessionName: sharedName(accountId) })

const tagsOf = ({ user_id: person, confirmation_id: confirmation, run_id: run }: Actor) =>
  Object.entries({ person, confirmation, run }).flatMap(([key, id]) =>
    id === null ? [] : [{ Key: `steward:${key}`, Value: id }])

/** Without tags the name is all that shows the run: its last 12 digits, since AWS allows 64 characters. */
const nameOf = ({ user_id: person, run_id: run }: Actor, accountId: string, isTagged: boolean): string => {
  if (person === null) return sharedName(accountId)
  return isTagged || run === null ? personSession(person) : `${personSession(person)}.${run.slice(-12)}`
}

/** @returns what a session of a write says of itself, as far as the role's trust policy allows it */
export const writeIdentity = (actor: Actor, accountId: string, marks: SessionMarks): SessionIdentity => ({
  RoleSessionName: nameOf(actor, accountId, marks.tags),
  ...(marks.source_identity && actor.user_id !== null && { SourceIdentity: actor.user_id }),
  ...(marks.tags && actor.user_id !== null && { Tags: tagsOf(actor) })
})

/** A statement of a session's policy: what the session may do is what this and the role's own policies both allow. */
export interface Statement {
  Effect: 'Allow'
  Action: string[]
  Resource: string[]
  Condition?: { StringEquals: Record<string, string> }
}

/** @returns the text as a policy's resource that means nothing but itself: names come from outside, and may hold `*` */
export const literal = (text: string): string => text.replace(/[*?$]/g, (character) => `\${${character}}`)

/** @param resources ARNs in which `*` is a wildcard: names in them went through `literal` */
export const allow = (actions: string | readonly string[], ...resources: string[]): Statement =>
  ({ Effect: 'Allow', Action: [actions].flat(), Resource: resources })

/** Lets ECS tasks, and nothing else, be given a role. */
export const allowPass = (...roles: string[]): Statement => ({
  ...allow('iam:PassRole', ...roles),
  Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } }
})

export const toPolicy = (statements: readonly Statement[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements })

/** The policy of the session that an account's reads share: whatever the role may do, this session changes nothing. */
export const readPolicy = toPolicy([allow([
  ...permissions.read, ...permissions.costs, ...permissions.logs,
  ...permissions.build.filter((action) => isRead(action.split(':')[1] ?? ''))
], '*')])

/** In which account and region a resource is. */
export interface ArnLocation {
  account: Pick<AccountRow, 'auth' | 'aws_account_id' | 'partition'>
  region: string
}

/** The number in the role's own ARN is the one that the session acts in. */
const numberOf = ({ auth, aws_account_id: number }: ArnLocation['account']): string =>
  (auth.type === 'assume_role' ? auth.role_arn?.split(':')[4] : undefined) ?? number ?? '*'

const arnIn = ({ account, region }: ArnLocation, service: string, resource: string): string =>
  `arn:${account.partition}:${service}:${region}:${numberOf(account)}:${resource}`

/** @param path such as `service`, the cluster's name, the service's name */
export const ecsArn = (location: ArnLocation, ...path: string[]): string =>
  arnIn(location, 'ecs', path.map(literal).join('/'))

/** Every revision of a family: AWS numbers the new one. */
export const revisionsArn = (location: ArnLocation, family: string): string =>
  `${ecsArn(location, 'task-definition', family)}:*`

/** @param name of a project of CodeBuild: what may be done with it may be with its builds */
export const projectArn = (location: ArnLocation, name: string): string =>
  arnIn(location, 'codebuild', `project/${literal(name)}`)

/** @param qualifier a version or an alias; AWS asks for the permission on exactly what is named */
export const functionArn = (location: ArnLocation, name: string, qualifier?: string): string =>
  arnIn(location, 'lambda', ['function', name, ...(qualifier === undefined ? [] : [qualifier])].map(literal).join(':'))

/** Where the endpoint does not say the target's own ARN, all of the account and region. */
export const scalableTargetArn = (location: ArnLocation, arn: string | undefined): string =>
  arn === undefined ? arnIn(location, 'application-autoscaling', 'scalable-target/*') : literal(arn)

/** @param role an ARN, or the short name that ECS accepts as well */
export const roleArn = ({ account }: ArnLocation, role: string): string =>
  literal(role.startsWith('arn:') ? role : `arn:${account.partition}:iam::${numberOf(account)}:role/${role}`)

/** By which AWS knows that a request is this workspace's: whoever could choose it could use another's role. */
export const newExternalId = (): string => `steward-${randomBytes(24).toString('hex')}`
