import { createECDH, randomBytes } from 'node:crypto'
import { buildWire, startOnLoopback, type Outcome, type WireRequest } from '../wire.js'
import { judgeSender, nameFor, openMessage, type BrowserKeys } from './open.js'

export { openMessage } from './open.js'

export interface Subscription { endpoint: string, keys: { p256dh: string, auth: string } }

export interface PushedMessage { endpoint: string, text: string, ttl: number, urgency: string, topic: string }

interface Device extends BrowserKeys { serverKey: string, endpoint: string }

const answer = (status: number, text = '', headers: Record<string, string> = {}): Outcome =>
  ({ status, headers: { 'content-type': 'text/plain', ...headers }, body: text })

const first = (value: string | string[] | undefined): string => String(value ?? '')

/** A service of web push (RFC 8030) and its browsers: it takes what is signed by the key of the subscription. */
class PushService {
  readonly messages: PushedMessage[] = []
  /** Why it refused what it refused. */
  readonly refusals: string[] = []
  /** What it does with the next messages: `gone` answers 410, `busy` 429, `down` 503, `hang` nothing at all. */
  manner: 'take' | 'gone' | 'busy' | 'down' | 'hang' = 'take'
  readonly #devices = new Map<string, Device>()
  readonly #secret = randomBytes(32)
  origin = ''

  /** A browser subscribes. @param serverKey `applicationServerKey` of the sender */
  subscribe (serverKey: string): Subscription {
    const name = nameFor(this.#secret, this.#devices.size)
    const [ecdh, auth] = [createECDH('prime256v1'), randomBytes(16)]
    const p256dh = ecdh.generateKeys('base64url')
    const endpoint = `${this.origin}/push/${name}`
    this.#devices.set(name, { ecdh, auth, serverKey, endpoint })
    return { endpoint, keys: { p256dh, auth: auth.toString('base64url') } }
  }

  answer ({ method, url, headers, body }: WireRequest): Outcome {
    const device = this.#devices.get(url.split('/').at(-1) ?? '')
    if (method !== 'POST' || !device) return answer(404)
    if (this.manner === 'gone') return answer(410)
    if (this.manner === 'busy') return answer(429, '', { 'retry-after': '9' })
    if (this.manner === 'down') return answer(503)
    if (this.manner === 'hang') return { silence: 'hang' }
    const wrong = this.#judge(headers, body, device)
    if (wrong !== undefined) {
      this.refusals.push(wrong)
      return answer(wrong === 'too large' ? 413 : 403, wrong)
    }
    return this.#take(headers, body, device)
  }

  #judge (headers: WireRequest['headers'], body: Buffer, { serverKey }: Device): string | undefined {
    if (headers['content-encoding'] !== 'aes128gcm') return 'not encrypted'
    if (!/^\d+$/.test(first(headers.ttl))) return 'no TTL'
    if (!/^[\w-]{0,32}$/.test(first(headers.topic))) return 'no topic'
    if (body.length > 4_096) return 'too large'
    return judgeSender(first(headers.authorization), serverKey, this.origin, new Date())
  }

  #take (headers: WireRequest['headers'], body: Buffer, device: Device): Outcome {
    try {
      this.messages.push({
        endpoint: device.endpoint,
        text: openMessage(device, body),
        ttl: Number(headers.ttl),
        urgency: first(headers.urgency),
        topic: first(headers.topic)
      })
    } catch {
      // A service cannot know that; the browser shows nothing.
      this.refusals.push('not for this browser')
    }
    return answer(201)
  }
}

export type PushSandbox = PushService & { close: () => Promise<void> }

export const startPushSandbox = async (): Promise<PushSandbox> => {
  const service = new PushService()
  const app = buildWire({ bodyLimit: 65_536 }, async (request) => service.answer(request))
  const { url, close } = await startOnLoopback(app, '', {})
  service.origin = url
  return Object.assign(service, { close })
}
