import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { type AccountRow, insertAccount, isDuplicateAccountName, listAccounts } from '../../../../db/cloud/accounts.js'
import { type AccountSetup, permissions } from '../../../../schemas/cloud/accounts.js'

/** Registers the sandbox's account in a workspace without cloud accounts, so that there is something to see. */
export const seedAccount = async (app: Pick<FastifyInstance, 'db' | 'home' | 'sandbox'>): Promise<void> => {
  const world = app.sandbox.worlds.aws
  if (world === undefined) return
  const { workspace_id: workspaceId, admin_id: adminId } = app.home
  const existing = await listAccounts(app.db, workspaceId, 1)
  if (existing.length > 0) return
  await insertAccount(app.db, workspaceId, {
    id: uuid(),
    name: 'Sandbox',
    aws_account_id: world.accountId,
    partition: 'aws',
    regions: [...world.regions],
    default_region: world.regions[0],
    auth: { type: 'ambient' },
    secret: null,
    sandbox: true,
    created_by: adminId
  }).catch((error: unknown) => {
    // Another instance that started at the same time was first.
    if (!isDuplicateAccountName(error)) throw error
  })
}

const allow = (actions: readonly string[]) => ({ Effect: 'Allow', Action: actions, Resource: '*' })
const policy = (...statements: object[]) => ({ Version: '2012-10-17', Statement: statements })

/** Only the actions that Steward calls, in a document for each use: leave out those that are not needed. */
const policies = (partition: string, account: string): AccountSetup['policies'] => ({
  read: policy(allow(permissions.read)),
  costs: policy(allow(permissions.costs)),
  deploy: policy(allow(permissions.deploy.filter((action) => action !== 'iam:PassRole')), {
    Effect: 'Allow',
    Action: ['iam:PassRole'],
    Resource: `arn:${partition}:iam::${account}:role/*`,
    Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } }
  }),
  build: policy(allow(permissions.build)),
  invoke: policy(allow(permissions.invoke)),
  logs: policy(allow(permissions.logs))
})

/** A trust policy names a role, not one session of it. */
const principalOf = (identity: string | null): string => {
  const session = /^arn:(aws[\w-]*):sts::(\d{12}):assumed-role\/([^/]+)\//.exec(identity ?? '')
  if (session) return `arn:${session[1]}:iam::${session[2]}:role/${session[3]}`
  return identity ?? '<ARN of the identity that Steward runs as>'
}

/**
 * @param identity ARN of the identity that Steward itself runs as; null when it has none
 * @returns the IAM documents to paste into the account; without an assumed role the trust policy is empty
 */
export const setupAccount = (account: AccountRow, identity: string | null): AccountSetup => {
  const { auth, partition, aws_account_id: number } = account
  const trust = auth.type !== 'assume_role'
    ? {}
    : {
        Version: '2012-10-17',
        Statement: [{
          Effect: 'Allow',
          Principal: { AWS: principalOf(identity) },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'sts:ExternalId': auth.external_id } }
        }, {
          // A statement of its own: neither call has the ExternalId, and neither is of use without the first one.
          Effect: 'Allow',
          Principal: { AWS: principalOf(identity) },
          Action: ['sts:TagSession', 'sts:SetSourceIdentity']
        }]
      }
  return { trust_policy: trust, policies: policies(partition, number ?? '*') }
}
