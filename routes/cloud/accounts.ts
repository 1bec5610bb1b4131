import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { visible } from '../../lib/access/require-access.js'
import { actorOf } from '../../lib/aws/sessions.js'
import { paginate } from '../../lib/http/paginate.js'
import { listAccounts, type AccountRow } from '../../db/cloud/accounts.js'
import { hasRole, type Principal } from '../../lib/security/principal.js'
import { AccountTest, CloudTrail, TrailQuery } from '../../schemas/cloud/account-test.js'
import { IfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  AccountParams, AccountSetup, CloudAccount, CloudAccountPage, CreateCloudAccount, NewCloudAccount, UpdateCloudAccount
} from '../../schemas/cloud/accounts.js'
import { PageQuery } from '../../schemas/common.js'
import { InsufficientRole, InvalidCursor } from '../../schemas/errors.js'
import {
  createAccount, requireRevision, requireAccount, removeAccount, changeAccount
} from './lib/accounts/change-account.js'
import { describeAccount, queryTrail } from './lib/accounts/describe-account.js'
import {
  AccountUnusable, awsErrors, CloudAccountInUse,
  CloudAccountMismatch, CloudAccountNameTaken, CloudAccountNotFound, RegionUnknown
} from './lib/errors.js'
import { setupAccount } from './lib/accounts/setup-account.js'
import { testAccount, testTool } from './lib/accounts/test-account.js'
import { cloudFields } from './lib/field-words.js'

const administrates = { scope: 'cloud:write', role: 'admin' } as const
/** @throws insufficient_role: who binds roles to environments counts on who says what an account is for */
const requireMayMove = (principal: Principal, { environment }: UpdateCloudAccount): void => {
  if (environment === undefined || hasRole(principal, 'admin')) return
  throw InsufficientRole('The environment decides who may do what here: this needs the role admin on the workspace',
    { role: 'admin', scope: {} })
}

const etag = (account: { revision: number }) => `"r${account.revision}"`

const accounts: FastifyPluginAsyncTypebox = async (app) => {
  /** Who assumes the role; without one nobody does. */
  const identityFor = async ({ auth, default_region: region }: AccountRow) =>
    auth.type === 'assume_role' ? app.aws.identity(region) : null

  app.get('/cloud/accounts', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see which AWS accounts are registered here, or to find the id of one.',
        gives: 'the accounts with name, number, regions and the state of the last test; never a secret.',
        keywords: 'aws accounts connected registered credentials cloud provider',
        fields: cloudFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listCloudAccounts',
      summary: 'List cloud accounts',
      description: 'The AWS accounts that are registered here, by name: regions, how Steward signs in, the state of ' +
        'the last test. Never returns a secret.',
      tags: ['cloud'],
      querystring: Type.Object(PageQuery),
      response: { 200: CloudAccountPage }
    }
  }, async ({ principal, query }) => {
    const page = await paginate(app, { principal, list: 'cloud_accounts', query },
      (key, limit) => listAccounts(app.db, principal.workspace_id, limit,
        key && { name: String(key[0]), id: String(key[1]) }, visible(principal)),
      ({ name, id }) => [name, id])
    return { ...page, items: page.items.map(describeAccount), partial: false, errors: [] }
  })

  app.post('/cloud/accounts', {
    config: { access: administrates, errors: [CloudAccountNameTaken, RegionUnknown] },
    schema: {
      operationId: 'createCloudAccount',
      summary: 'Register a cloud account',
      description: 'Registers an AWS account. With assume_role the answer carries the ExternalId that the server ' +
        'made and the trust and permission policies to paste into IAM; role_arn may follow with a PATCH. Access ' +
        'keys are kept encrypted and never returned. Test the account afterwards.',
      tags: ['cloud'],
      body: CreateCloudAccount,
      response: { 201: NewCloudAccount }
    }
  }, async ({ principal, body }, reply) => {
    const account = await createAccount(app, principal, body)
    reply.code(201).header('etag', etag(account)).header('location', `/cloud/accounts/${account.id}`)
    return { ...describeAccount(account), setup: setupAccount(account, await identityFor(account)) }
  })

  app.get('/cloud/accounts/:account_id', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how one AWS account is registered.',
        gives: 'its regions, how Steward signs in, its settings and the state of the last test; never a secret.',
        keywords: 'aws account settings regions role configuration of one account',
        fields: cloudFields
      },
      errors: [CloudAccountNotFound]
    },
    schema: {
      operationId: 'getCloudAccount',
      summary: 'Read a cloud account',
      description: 'One registered AWS account. Never returns a secret.',
      tags: ['cloud'],
      params: AccountParams,
      response: { 200: CloudAccount }
    }
  }, async ({ principal, params }, reply) => {
    const account = await requireAccount(app.db, principal.workspace_id, params.account_id)
    reply.header('etag', etag(account))
    return describeAccount(account)
  })

  app.get('/cloud/accounts/:account_id/setup', {
    config: { access: administrates, errors: [CloudAccountNotFound] },
    schema: {
      operationId: 'getCloudAccountSetup',
      summary: 'Read what to paste into a cloud account',
      description: 'The trust policy of the role and the permission policies, as createCloudAccount answered them. ' +
        'The trust policy is empty where no role is assumed.',
      tags: ['cloud'],
      params: AccountParams,
      response: { 200: AccountSetup }
    }
  }, async ({ principal, params }) => {
    const account = await requireAccount(app.db, principal.workspace_id, params.account_id)
    return setupAccount(account, await identityFor(account))
  })

  app.patch('/cloud/accounts/:account_id', {
    config: {
      access: administrates,
      errors: [...awsErrors, CloudAccountNotFound, AccountUnusable, CloudAccountMismatch, CloudAccountNameTaken,
        RegionUnknown, StaleRevision]
    },
    schema: {
      operationId: 'updateCloudAccount',
      summary: 'Change a cloud account',
      description: 'Changes the name, the regions, the environment or the credentials, disables the account or makes ' +
        'it read-only. New credentials are tried first: when they do not work, the old ones stay in use. An ' +
        'ExternalId never changes.',
      tags: ['cloud'],
      params: AccountParams,
      headers: IfMatch,
      body: UpdateCloudAccount,
      response: { 200: CloudAccount }
    }
  }, async ({ principal, params, body, headers }, reply) => {
    const account = await requireAccount(app.db, principal.workspace_id, params.account_id)
    requireRevision(account, headers['if-match'])
    requireMayMove(principal, body)
    const changed = await changeAccount(app, account, body)
    reply.header('etag', etag(changed))
    return describeAccount(changed)
  })

  app.delete('/cloud/accounts/:account_id', {
    config: { access: administrates, errors: [CloudAccountNotFound, CloudAccountInUse, StaleRevision] },
    schema: {
      operationId: 'deleteCloudAccount',
      summary: 'Remove a cloud account',
      description: 'Forgets the account and its credentials; changes nothing in AWS. Refused while apps or ' +
        'deployments use it.',
      tags: ['cloud'],
      params: AccountParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'Removed' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    const account = await requireAccount(app.db, principal.workspace_id, params.account_id)
    requireRevision(account, headers['if-match'])
    await removeAccount(app, account)
    return reply.code(204).send(null)
  })

  app.get('/cloud/accounts/:account_id/trail', {
    config: { errors: [CloudAccountNotFound] },
    schema: {
      operationId: 'getCloudTrail',
      summary: 'Read what to ask CloudTrail',
      description: 'The queries by which AWS\'s own log shows what was changed for a person, or under an approval: ' +
        'one for the AWS CLI and one for Athena. Without a parameter they are null. Asks AWS nothing.',
      tags: ['cloud'],
      params: AccountParams,
      querystring: TrailQuery,
      response: { 200: CloudTrail }
    }
  }, async ({ principal, params, query }) =>
    queryTrail(await requireAccount(app.db, principal.workspace_id, params.account_id), query))

  app.post('/cloud/accounts/:account_id/test', {
    config: {
      tool: testTool,
      words: {
        foreign: false,
        use: 'Use this to find out whether Steward has every permission that it needs in an AWS account. It has ' +
          'no side effects.',
        gives: 'for each region what works, each permission that is missing, and the policy to add.',
        keywords: 'check verify test permissions access credentials role iam policy missing aws account',
        fields: cloudFields
      },
      errors: [CloudAccountNotFound]
    },
    schema: {
      operationId: 'testCloudAccount',
      summary: 'Test a cloud account',
      description: 'Tries every action that Steward needs, without side effects, in all regions of the account; ' +
        'names each permission that is missing and the policy to add. Credentials that do not work are a result, ' +
        '`failed`, not an error.',
      tags: ['cloud'],
      params: AccountParams,
      response: { 200: AccountTest }
    }
  }, async ({ principal, params }) =>
    testAccount(app, await requireAccount(app.db, principal.workspace_id, params.account_id), actorOf(principal)))
}

export default accounts
