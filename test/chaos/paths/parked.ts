import { addAccount } from '../../flows/crash-steward.js'
import { Conversation } from '../conversation.js'
import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

/** Says it until the session is free: whoever died may have held it. */
const sayWhenFree = async (conversation: Conversation, message: string): Promise<Record<string, unknown>> => {
  for (;;) {
    const said = await conversation.say(message).catch((error: unknown) => {
      if (!String(error).includes('session_busy')) throw error
    })
    if (said) return said
    await new Promise((resolve) => { setTimeout(resolve, 200) })
  }
}

/** A person says something else while an approval waits, and approves afterwards: the first run goes on with it. */
export const parked: Path = {
  areas: ['park'],
  async prepare (_t, survivor) {
    await addAccount(survivor.url)
    const timesOf = async (wanted: number): Promise<number> => {
      const { calls } = await survivor.world.control('/calls?operation=UpdateService')
      return calls.filter(({ executed, params }) => executed && params.desiredCount === wanted).length
    }
    const list = async (query: string) =>
      (await survivor.ask('GET', `/api/v1/agent/confirmations?${query}`)).items as { id: string }[]
    return async (number) => {
      const wanted = number + 10
      const message = { message: `Scale web to ${wanted}` }
      const { session_id, run_id } = await survivor.ask('POST', '/api/v1/agent/chat', message, { prefer: 'respond-async' })
      const [asked] = await look(() => list(`session_id=${String(session_id)}`), (items) => items.length > 0)
      const other = new Conversation(survivor.url)
      other.sessionId = String(session_id)
      const between = await sayWhenFree(other, 'Which clusters do I have?')
      await survivor.ask('POST', '/api/v1/agent/confirm', { session_id, confirmation_id: asked?.id, approved: true })
      const run = await look(() => survivor.ask('GET', `/api/v1/agent/runs/${String(run_id)}`),
        ({ finished_at: at }) => at !== null)
      const times = await timesOf(wanted)
      return [
        ...unless(between.status === 'completed', `the message between ended as ${String(between.status)}`),
        ...unless(run.status === 'completed', `the run ended as ${JSON.stringify(run)}`),
        ...unless(times === 1, `it was done ${times} times`)
      ]
    }
  }
}
