import type { App } from '../../app.js'

type Body = Record<string, unknown> | unknown[]

/** The control path of the AWS sandbox that the app started. */
export const steer = (app: App) => {
  const call = async <T = Record<string, unknown>>(method: string, path: string, body?: Body) => {
    const answer = await fetch(`${app.sandbox.control.aws}${path}`, {
      // A kept connection may be closed by the other side while this process was busy.
      method,
      headers: { connection: 'close', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json() as T
  }
  return {
    call,
    fault: (fault: Record<string, unknown>) => call('POST', '/faults', fault),
    clear: () => call('DELETE', '/faults'),
    deny: (...actions: string[]) => call('PUT', '/denials', actions.map((action) => ({ action }))),
    advance: (ms: number) => call('POST', '/clock', { advance_ms: ms }),
    calls: async (operation: string) => (await call<{ count: number }>('GET', `/calls?operation=${operation}`)).count
  }
}
