import { addAccount } from '../../flows/crash-steward.js'
import { Conversation } from '../conversation.js'
import type { Survivor } from '../survivor.js'
import { unless, type Path } from './path.js'

const countUpdates = async ({ world }: Survivor, wanted: number): Promise<number> => {
  const { calls } = await world.control('/calls?operation=UpdateService')
  return calls.filter(({ executed, params }) => executed && params.desiredCount === wanted).length
}

/** A person asks for a write and approves it. */
export const approvedWrite: Path = {
  areas: ['idempotency', 'confirm', 'model', 'turn', 'call', 'results'],
  async prepare (_t, survivor) {
    await addAccount(survivor.url)
    return async (number) => {
      const conversation = new Conversation(survivor.url)
      const wanted = number + 10
      const done = await conversation.say(`Scale web to ${wanted}`)
      const status = conversation.result('scaleService')?.status
      const times = await countUpdates(survivor, wanted)
      const next = await conversation.say('Which clusters do I have?')
      return [
        ...unless(done.status === 'completed', `the run ended as ${String(done.status)}`),
        ...unless(status === 'succeeded' ? times === 1 : status === 'unknown' && times < 2,
          `the write is ${String(status)} and was done ${times} times`),
        ...unless(next.status === 'completed', 'the session took no next message'),
        ...await conversation.compare(survivor.url)
      ]
    }
  }
}
