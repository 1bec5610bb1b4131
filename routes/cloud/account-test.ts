import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Arguments, PreviewRow, Read } from '../../plugins/tool-options.js'
import { AccountTest } from '../../schemas/cloud/account-test.js'
import { AccountParams } from '../../schemas/cloud/accounts.js'
import { CloudAccountNotFound } from './lib/errors.js'
import { requireAccount } from './lib/find-account.js'
import { testAccount } from './lib/test-account.js'

const readTarget = (args: Arguments, read: Read) =>
  read(`/cloud/accounts/${encodeURIComponent(String(args.account_id))}`)

const summary = async (args: Arguments, read: Read): Promise<string> =>
  `Test the permissions of cloud account ${(await readTarget(args, read)).name}`

const preview = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const { status } = await readTarget(args, read)
  return [{ label: 'Status', before: String(status), after: 'as the test finds it; nothing in AWS changes' }]
}

const accountTest: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/cloud/accounts/:account_id/test', {
    config: { tool: { effect: 'write', risk: 'low', summary, preview }, errors: [CloudAccountNotFound] },
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
    testAccount(app, await requireAccount(app.db, principal.workspace_id, params.account_id)))
}

export default accountTest
