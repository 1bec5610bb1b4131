import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { defineWriteTool } from '../../lib/tools/options.js'
import { AccountTest } from '../../schemas/cloud/account-test.js'
import { AccountParams, CloudAccount } from '../../schemas/cloud/accounts.js'
import { CloudAccountNotFound } from './lib/errors.js'
import { requireAccount } from './lib/find-account.js'
import { testAccount } from './lib/test-account.js'

const testTool = defineWriteTool({
  input: { params: AccountParams },
  basis: 'Nothing changes but what Steward remembers of the test, so nobody is asked',
  async plan ({ account_id: id }, read) {
    const { name, status } = await read(`/cloud/accounts/${encodeURIComponent(id)}`, CloudAccount)
    return {
      target: { kind: 'cloud_account', id, names: [name] },
      summary: `Test the permissions of cloud account ${name}`,
      changes: [{ label: 'Status', before: status, after: 'as the test finds it; nothing in AWS changes' }],
      effect: 'read',
      risk: 'low'
    }
  }
})

const accountTest: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/cloud/accounts/:account_id/test', {
    config: { tool: testTool, errors: [CloudAccountNotFound] },
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
