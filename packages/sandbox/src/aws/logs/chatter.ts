import { chance } from '../core/ids.js'

type Voice = (pick: number, count: number) => string

const PATHS = ['/', '/products', '/products/4711', '/cart', '/checkout', '/account/orders', '/health']

const VOICES: Record<string, Voice> = {
  web: (pick, count) => {
    const path = PATHS[Math.floor(pick * PATHS.length)] ?? '/'
    const status = pick > 0.97 ? 502 : pick > 0.94 ? 404 : 200
    return `GET ${path} ${status} ${Math.round(8 + pick * 180)}ms request=${(count * 7919).toString(36)}`
  },
  api: (pick, count) =>
    JSON.stringify({
      level: pick > 0.96 ? 'error' : pick > 0.9 ? 'warn' : 'info',
      msg: pick > 0.96 ? 'payment provider timed out' : pick > 0.9 ? 'slow query' : 'request completed',
      duration_ms: Math.round(5 + pick * 400),
      order: 10_000 + (count % 5000)
    }),
  worker: (pick, count) =>
    pick > 0.95
      ? `ERROR job ${count}: lock timeout, will be retried`
      : `INFO job ${count} done in ${Math.round(40 + pick * 900)}ms`,
  audit: (pick, count) =>
    `${['login', 'logout', 'export', 'invite'][Math.floor(pick * 4)] ?? 'login'} user=${100 + (count % 17)}`
}

/** The line with number `count` of a voice; it is the same at every read. */
export function chatterLine (voice: string, stream: string, count: number): string {
  const name = Object.keys(VOICES).find((one) => voice.startsWith(one)) ?? 'worker'
  return VOICES[name]!(chance(`${stream}/${count}`), count)
}
