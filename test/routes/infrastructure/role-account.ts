import { asAdmin, type App } from '../../app.js'
import { steer } from './sandbox.js'

export const roleArn = 'arn:aws:iam::123456789012:role/StewardWrites'
export const readerName = (id: string): string => `steward-${id}`

interface Call {
  operation: string
  params: Record<string, string>
  session: { name: string, source_identity: string | null, tags: Record<string, string> } | null
}

/** The sandbox's first account, used by role. */
export const useRole = async (app: App) => {
  const sandbox = steer(app)
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  const [ambient] = (await call('GET', '/cloud/accounts')).json().items
  await call('PATCH', `/cloud/accounts/${ambient.id}`, { disabled: true })
  const account = (await call('POST', '/cloud/accounts',
    { name: 'Role', regions: ['eu-west-1'], auth: { type: 'assume_role' } })).json()
  const trust = (changes: object) => sandbox.call('PUT', '/roles',
    { role_arn: roleArn, external_id: account.auth.external_id, ...changes })
  await trust({})
  await call('PATCH', `/cloud/accounts/${account.id}`, { auth: { type: 'assume_role', role_arn: roleArn } })
  const id = (...path: string[]) => encodeURIComponent([account.id, 'eu-west-1', ...path].join('~'))
  const journal = async (operation: string): Promise<Call[]> =>
    (await sandbox.call<{ calls: Call[] }>('GET', `/calls?operation=${operation}`)).calls
  return {
    account,
    call,
    sandbox,
    trust,
    journal,
    service: (name: string) => `/infrastructure/containers/services/${id('prod', name)}`,
    lambda: (name: string) => `/infrastructure/serverless/functions/${id(name)}`,
    read: async () => (await call('GET', `/cloud/accounts/${account.id}`)).json(),
    policies: async () => (await journal('AssumeRole')).map(({ params }) => JSON.parse(params['Policy'] ?? 'null'))
  }
}
