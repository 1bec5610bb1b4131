import type { Test } from '../tap.js'
import { launch, makeWorld } from '../flows/crash-steward.js'
import { chaosLimits } from './limits.js'
import { openQueries } from './postgres.js'
import { TcpProxy } from './tcp-proxy.js'

/** One Steward whose way to its database the test can spoil; `query` takes another. */
export const startBehindProxy = async (t: Pick<Test, 'teardown'>, settings: Record<string, string> = {}) => {
  const world = await makeWorld(t, { LIMITS: JSON.stringify(chaosLimits), DATABASE_POOL: '5', ...settings })
  const direct = new URL(world.env.DATABASE_URL ?? '')
  const proxy = new TcpProxy({ host: direct.hostname, port: Number(direct.port || 5432) })
  const through = new URL(direct)
  through.hostname = '127.0.0.1'
  through.port = String(await proxy.listen(t))
  const steward = launch(t, { ...world.env, DATABASE_URL: through.href })
  const url = await steward.listening()
  return { world, proxy, steward, url, query: openQueries(t, direct.href) }
}
