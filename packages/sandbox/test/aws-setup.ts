import type { ECSClient } from '@aws-sdk/client-ecs'
import { DescribeServicesCommand, type Service } from '@aws-sdk/client-ecs'
import type { Test } from '../../../test/tap.js'
import { SANDBOX_CREDENTIALS, startAwsSandbox, type SandboxOptions } from '../src/aws/index.js'

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

/** A sandbox of its own for a test: the clock stands still, and the clients do not retry. */
export async function setUp (t: Test, options: SandboxOptions = { frozen: true }) {
  const sandbox = await startAwsSandbox(options)
  t.teardown(() => sandbox.close())
  const config = { endpoint: sandbox.url, region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS, maxAttempts: 1 }
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(sandbox.controlUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    // The tests read what they expect from it.
    return (await response.json()) as Record<string, never>
  }
  return {
    sandbox,
    config,
    ask,
    post: (path: string, body: unknown = {}) => ask('POST', path, body),
    advance: (milliseconds: number) => ask('POST', '/clock', { advance_ms: milliseconds }),
    calls: async (operation: string): Promise<number> =>
      (await ask('GET', `/calls?operation=${operation}`))['count'] ?? 0
  }
}

export type SetUp = Awaited<ReturnType<typeof setUp>>

/** One service, as DescribeServices returns it now. */
export async function readService (client: ECSClient, cluster: string, name: string): Promise<Service> {
  const { services } = await client.send(
    new DescribeServicesCommand({ cluster, services: [name], include: ['TAGS'] })
  )
  return services![0]!
}
