import { asAdmin, type App } from '../app.js'
import { chat, framesOf, parseFrames, scripted, type Frame, type startChatApp, type Turn } from '../chat.js'

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** @returns the value with names instead of known ids, and marks instead of other ids, times and digests */
export const marked = (value: unknown, names: Record<string, string> = {}): unknown => {
  const named = Object.entries(names).reduce((text, [name, known]) => text.replaceAll(known, `<${name}>`),
    JSON.stringify(value))
  return JSON.parse(named.replace(id, '<id>').replace(time, '<time>').replace(/sha256:[0-9a-f]{64}/g, '<digest>')
    .replace(/"request_id":"[^"]*"/g, '"request_id":"<request>"'))
}

export type ChatApp = Awaited<ReturnType<typeof startChatApp>>

export const read = async (app: App, url: string, headers: Record<string, string> = asAdmin) =>
  (await app.inject({ url, headers })).json()

/** @returns the id of a service of the sandbox's cluster prod */
export const serviceId = async (app: App, name: string): Promise<string> =>
  `${(await read(app, '/cloud/accounts')).items[0].id}~eu-west-1~prod~${name}`

export const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

/** A turn that asks to scale, once per pair of service and count. */
export const wantsToScale = (...inputs: [service: string, count: number][]): Turn => ({
  content: [
    { type: 'text', text: 'I would scale.' },
    ...inputs.map(([service, desired_count]) =>
      ({ type: 'tool_use' as const, name: 'scaleService', input: { service, desired_count } }))
  ]
})

/** @returns the parts of the confirmation_required frames that a decision needs */
export const askedIn = (frames: Frame[]) => framesOf(frames, 'confirmation_required').map(({ data }) => ({
  session_id: String(data.session_id),
  confirmation_id: String(data.confirmation_id),
  input_digest: String(data.input_digest),
  data
}))

export const lastId = (frames: Frame[]): string | undefined => frames.findLast(({ id }) => id !== undefined)?.id

/** Says something to which the model wants to scale, up to where it waits for approval. */
export const askToScale = async ({ app, anthropic }: ChatApp, inputs: [string, number][], body: object = {}) => {
  const message = scripted(anthropic, [wantsToScale(...inputs), say('All right.')])
  const reply = await chat(app, { message, ...body })
  const asked = askedIn(reply.frames)
  const [first] = asked
  if (!first) throw new Error(`Nothing was asked: ${reply.answer.payload}`)
  const { session_id, confirmation_id } = first
  const decision = { session_id, confirmation_id }
  return { ...reply, message, asked, first, decision, after: lastId(reply.frames) }
}

/** @returns the blocks of the last user message that the model got after this one, and how often it was called */
export const sentToModel = ({ anthropic }: ChatApp, message: string) => {
  const requests = anthropic.control.requests(message)
  const { messages } = requests.at(-1)?.body as { messages: { role: string, content: Record<string, unknown>[] }[] }
  return { calls: requests.length, messages, results: messages.at(-1)?.content }
}

/** @returns how often the sandbox of AWS was called to change the service to this count */
export const timesScaled = async ({ app }: ChatApp, service: string, count: number): Promise<number> => {
  const answer = await fetch(`${app.sandbox.control.aws}/calls?service=ecs&operation=UpdateService`)
  const { calls } = await answer.json() as { calls: { params: { service: string, desiredCount: number } }[] }
  const name = service.split('~').at(-1)
  return calls.filter(({ params }) => params.service === name && params.desiredCount === count).length
}

/** @returns the stored stream of a run, whoever has read it */
export const storedFrames = async (app: App, session: string, run: string): Promise<Frame[]> => {
  const answer = await app.inject({
    url: `/api/v1/agent/sessions/${session}/stream`, headers: { ...asAdmin, 'last-event-id': `${run}:0` }
  })
  return parseFrames(answer.payload)
}
